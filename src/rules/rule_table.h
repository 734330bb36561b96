// The rules that make up the catalogue, one a file (rule_pto201.cpp ...). Read by catalogue.cpp alone.
#pragma once

#include "rules/catalogue.h"

namespace ptofix::rules {

const Rule& rule_pto001();
const Rule& rule_pto101();
const Rule& rule_pto102();
const Rule& rule_pto103();
const Rule& rule_pto104();
const Rule& rule_pto105();
const Rule& rule_pto106();
const Rule& rule_pto107();
const Rule& rule_pto108();
const Rule& rule_pto201();
const Rule& rule_pto202();
const Rule& rule_pto203();
const Rule& rule_pto204();
const Rule& rule_pto205();
const Rule& rule_pto206();
const Rule& rule_pto207();
const Rule& rule_pto208();
const Rule& rule_pto209();
const Rule& rule_pto301();
const Rule& rule_pto302();
const Rule& rule_pto303();

}  // namespace ptofix::rules
