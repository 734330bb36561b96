"""Stands in for the device package on a machine without a device: importing it is enough for host code to run."""


def npu_format_cast(tensor, *_):
    return tensor


def get_npu_format(_):
    return 2  # ND


def npu_trans_quant_param(scale, *_):
    return scale.contiguous().view(__import__("torch").int32).to(__import__("torch").int64) & 0xFFFFFFFF


class _Namespace:
    def __getattr__(self, name):
        return _Namespace()

    def __call__(self, *_, **__):
        return None


npu = _Namespace()
