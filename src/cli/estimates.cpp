#include "cli/estimates.h"

#include <algorithm>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/budget_view.h"
#include "cli/kernel_parts.h"
#include "cli/shown.h"
#include "fixing/apply.h"
#include "hardware/soc.h"
#include "text/cell_place.h"
#include "text/edit.h"
#include "text/parallel.h"
#include "trace/project.h"
#include "trace/tracer.h"

namespace ptofix::cli {

namespace {

using report::BudgetReport;
using report::EstimateView;
using report::FileReport;
using report::FindingView;
using report::KernelBudgetView;
using report::TileBudgetView;

/// A kernel in two budgets of a file; `after` is null when nothing is known of it.
struct Pair {
    const KernelBudgetView* before = nullptr;
    const KernelBudgetView* after = nullptr;
};

bool has_line(const report::Place& place, const std::string& path, std::uint32_t cell, std::uint32_t first,
              std::uint32_t last) {
    return place.path == path && place.cell == cell && place.line >= first && place.line <= last;
}

/// The lines that a finding is about.
struct Lines {
    std::string path;
    std::uint32_t cell = 0, first = 0, last = 0;

    bool set(const TileBudgetView& tile) const {
        return tile.tile && tile.tile->set_at && has_line(*tile.tile->set_at, path, cell, first, last);
    }
    bool hold_operation(const TileBudgetView& tile) const {
        return std::ranges::any_of(
            tile.operations, [&](const report::UseView& use) { return has_line(use.place, path, cell, first, last); });
    }
};

Lines lines_of(const FileReport& report, const FindingView& finding) {
    const text::Source& source = report.files[finding.primary.file];
    const text::Range range = finding.primary.range;
    const text::CellLine first = text::line_in(source, range.start);
    const std::uint32_t more =
        source.lines().line_of(std::max(range.end, range.start + 1) - 1) - source.lines().line_of(range.start);
    return {report.paths[finding.primary.file], first.cell, first.line, first.line + more};
}

/// The tile settings that a finding is about: those that its lines make, else those that its operations run under, else
/// all.
std::vector<bool> tiles_about(const KernelBudgetView& kernel, const Lines& lines) {
    std::vector<bool> chosen;
    for (const auto is_meant : {&Lines::set, &Lines::hold_operation}) {
        chosen.clear();
        for (const TileBudgetView& tile : kernel.tiles) chosen.push_back((lines.*is_meant)(tile));
        if (std::ranges::find(chosen, true) != chosen.end()) return chosen;
    }
    return std::vector<bool>(kernel.tiles.size(), true);
}

bool is_about(const KernelBudgetView& kernel, const FindingView& finding, const Lines& lines) {
    const std::string_view function = finding.function;
    if (!function.empty() && function.substr(function.rfind('.') + 1) == kernel.name) return true;
    return std::ranges::any_of(
        kernel.tiles, [&](const TileBudgetView& tile) { return lines.set(tile) || lines.hold_operation(tile); });
}

/// How full the fullest memory is under the tiles that the finding's own lines set; 0 where they set none.
double fullness(const KernelBudgetView& kernel, const Lines& lines) {
    double most = 0;
    for (const TileBudgetView& tile : kernel.tiles) {
        if (!lines.set(tile)) continue;
        for (const report::PoolView& pool : tile.pools) {
            if (pool.bytes && pool.limit > 0)
                most = std::max(most, static_cast<double>(*pool.bytes) / static_cast<double>(pool.limit));
        }
    }
    return most;
}

/// The kernel that the finding is worst for: a helper serves several.
const KernelBudgetView* kernel_of(const BudgetReport& budget, const FindingView& finding, const Lines& lines) {
    const KernelBudgetView* best = nullptr;
    const auto cost = [&](const KernelBudgetView& kernel) {
        return std::pair(fullness(kernel, lines), kernel.tile_operations);
    };
    for (const KernelBudgetView& kernel : budget.kernels) {
        if (!is_about(kernel, finding, lines)) continue;
        if (best == nullptr || cost(kernel) > cost(*best)) best = &kernel;
    }
    return best;
}

void add_pools(std::vector<report::PoolEstimate>& pools, const KernelBudgetView& kernel,
               const std::vector<bool>& chosen, std::optional<std::int64_t> report::PoolEstimate::* when) {
    for (std::size_t i = 0; i < kernel.tiles.size(); ++i) {
        if (!chosen[i]) continue;
        for (const report::PoolView& pool : kernel.tiles[i].pools) {
            if (!pool.bytes) continue;
            auto at = std::ranges::find(pools, pool.name, &report::PoolEstimate::name);
            if (at == pools.end()) {
                at = pools.insert(at, {std::string(pool.name), pool.limit, std::nullopt, std::nullopt});
            }
            std::optional<std::int64_t>& bytes = (*at).*when;
            bytes = std::max(bytes.value_or(0), *pool.bytes);
        }
    }
}

EstimateView estimate(const Pair& kernel, const Lines& lines) {
    EstimateView view;
    view.kernel = kernel.before->name;
    view.operations_before = kernel.before->tile_operations;
    view.complete_before = kernel.before->complete;
    std::vector<bool> chosen = tiles_about(*kernel.before, lines);
    const bool is_alike = kernel.after == nullptr || kernel.after->tiles.size() == chosen.size();
    if (!is_alike) chosen.assign(chosen.size(), true);
    add_pools(view.pools, *kernel.before, chosen, &report::PoolEstimate::before);
    if (kernel.after == nullptr) return view;
    view.operations_after = kernel.after->tile_operations;
    view.complete_after = kernel.after->complete;
    if (!is_alike) chosen.assign(kernel.after->tiles.size(), true);
    add_pools(view.pools, *kernel.after, chosen, &report::PoolEstimate::after);
    return view;
}

/// The estimates of one file.
class Estimator {
  public:
    Estimator(trace::Project& project, const FileReport& report, const config::FileConfig& config,
              const EngineOptions& options)
        : project_(project), report_(report), config_(config), options_(options), folder_(current_folder()) {}

    report::EstimatesOfFile all() {
        report::EstimatesOfFile out(report_.findings.size());
        const auto parsed = project_.parse(std::make_shared<const text::Source>(main()), true);
        if (!parsed) return out;
        main_ = *parsed;
        const Counted before = count(main_);
        std::vector<Job> jobs;
        std::map<std::vector<rules::FileEdit>, std::size_t> job_of;  // several findings may have one fix
        for (std::size_t i = 0; i < out.size(); ++i) {
            const FindingView& finding = report_.findings[i];
            const Lines lines = lines_of(report_, finding);
            const KernelBudgetView* kernel = kernel_of(before.view, finding, lines);
            if (kernel == nullptr) continue;
            out[i] = estimate({kernel, nullptr}, lines);
            if (!finding.fix) continue;
            const auto [at, fresh] = job_of.try_emplace(finding.fix->edits, jobs.size());
            if (fresh) jobs.push_back({&*finding.fix, part_of(*finding.fix, before), {}});
            jobs[at->second].uses.push_back({i, kernel});
        }
        const auto fill = [&](const Job& job, const Counted& after) {
            for (const Job::Use& use : job.uses) {
                const KernelBudgetView* other = counterpart(before.view, *use.kernel, after.view);
                const Lines lines = lines_of(report_, report_.findings[use.finding]);
                out[use.finding] = estimate({use.kernel, other}, lines);
            }
        };
        for (const std::vector<const Job*>& round : rounds(jobs, before)) {
            std::vector<rules::FileEdit> edits;
            for (const Job* job : round) edits.insert(edits.end(), job->fix->edits.begin(), job->fix->edits.end());
            const std::optional<Counted> after = count_with(edits);
            if (after && (round.size() == 1 || is_like(before.view, *after))) {
                for (const Job* job : round) fill(*job, *after);
            } else if (round.size() > 1) {
                for (const Job* job : round) {
                    if (const std::optional<Counted> alone = count_with(job->fix->edits)) fill(*job, *alone);
                }
            }
        }
        project_.set_overlay(main().path(), nullptr);  // what was parsed last has a fix; others may import the file
        return out;
    }

  private:
    /// The budgets of a text, and which parts of it decide on one kernel alone.
    struct Counted {
        struct Part {
            text::Range range;
            report::Place kernel;
        };
        BudgetReport view;
        bool cut_short = false;
        std::vector<Part> parts;
    };
    /// A fix to try, and the findings that it is for, each with its kernel as it is without.
    struct Job {
        struct Use {
            std::size_t finding;
            const KernelBudgetView* kernel;
        };
        const report::FixView* fix;
        std::optional<std::size_t> part;  // the one that holds all of the fix
        std::vector<Use> uses;
    };

    const text::Source& main() const { return report_.files[report_.main]; }

    std::optional<std::size_t> part_of(const report::FixView& fix, const Counted& before) const {
        const auto holds = [&](const Counted::Part& part) {
            return std::ranges::all_of(fix.edits, [&](const rules::FileEdit& edit) {
                return edit.file == report_.main && part.range.start <= edit.range.start &&
                       edit.range.end <= part.range.end;
            });
        };
        const auto at = std::ranges::find_if(before.parts, holds);
        if (at == before.parts.end()) return std::nullopt;
        return static_cast<std::size_t>(at - before.parts.begin());
    }

    /// Which fixes are tried together: of each part one, where it is that part's kernel that is asked about; all others
    /// alone.
    static std::vector<std::vector<const Job*>> rounds(const std::vector<Job>& jobs, const Counted& before) {
        std::vector<std::vector<const Job*>> shared, alone;
        std::vector<std::size_t> taken(before.parts.size());  // rounds that have a fix of this part
        for (const Job& job : jobs) {
            const bool is_own = job.part && std::ranges::all_of(job.uses, [&](const Job::Use& use) {
                                    return is_same(use.kernel->place, before.parts[*job.part].kernel);
                                });
            if (!is_own) {
                alone.push_back({&job});
                continue;
            }
            const std::size_t round = taken[*job.part]++;
            if (round == shared.size()) shared.emplace_back();
            shared[round].push_back(&job);
        }
        shared.insert(shared.end(), alone.begin(), alone.end());
        return shared;
    }

    static bool is_same(const report::Place& a, const report::Place& b) {
        return a.line == b.line && a.column == b.column && a.cell == b.cell && a.path == b.path;
    }

    /// Has the text with several fixes the same kernels, each counted to its end as it would be by itself?
    static bool is_like(const BudgetReport& before, const Counted& after) {
        return !after.cut_short && std::ranges::equal(before.kernels, after.view.kernels, {}, &KernelBudgetView::name,
                                                      &KernelBudgetView::name);
    }

    /// The kernel after the fix: the one in the same place of the list, as long as the lists are alike.
    static const KernelBudgetView* counterpart(const BudgetReport& before, const KernelBudgetView& kernel,
                                               const BudgetReport& after) {
        if (after.kernels.size() != before.kernels.size()) return nullptr;
        const KernelBudgetView& other = after.kernels[static_cast<std::size_t>(&kernel - before.kernels.data())];
        return other.name == kernel.name ? &other : nullptr;
    }

    /// As its places are told: of a notebook by its cells.
    static std::expected<text::Source, text::LoadError> with_text(const text::Source& source, std::string text) {
        if (source.is_notebook()) {
            if (auto bytes = source.encode(text)) return source.with_bytes(*std::move(bytes));
        }
        return text::Source::from_text(source.path(), std::move(text));
    }

    Counted count(const std::shared_ptr<const trace::SourceFile>& file) {
        // Whoever imports it gets this one, too.
        project_.parsed_files()->forget(file->path());
        project_.parsed_files()->remember(file);
        trace::TraceOptions how;
        how.legacy_frontend = config_.legacy_frontend;
        how.assume = config_.assume;
        const std::unique_ptr<trace::Trace> traced = trace::trace_file(project_, file, how);
        const std::string& soc = options_.soc.empty() ? config_.soc : options_.soc;
        Counted out;
        out.view =
            budget_view(*traced, {report_.path, folder_, hardware::soc_of_name(soc).value_or(hardware::Soc::a2a3)});
        out.cut_short = traced->cut_short;
        for (const KernelPart& part : kernel_parts(*traced)) {
            out.parts.push_back({part.range, place_of(*traced, part.kernel, report_.path, folder_)});
        }
        return out;
    }

    /// The file with these edits, or null.
    std::shared_ptr<const trace::SourceFile> parsed(const text::Edits& edits,
                                                    std::shared_ptr<const text::Source> source) {
        auto tree = fixing::parse_again(project_.parser(), *main_, edits, source->text());
        if (!tree) return nullptr;
        const text::LineIndex lines(source->text());
        return std::make_shared<const trace::SourceFile>(trace::SourceFile{std::move(source), *std::move(tree), lines});
    }

    /// Of the texts with these edits and no others.
    std::optional<Counted> count_with(std::span<const rules::FileEdit> edits_of_files) {
        std::map<std::uint16_t, std::vector<text::Edit>> by_file;
        for (const rules::FileEdit& edit : edits_of_files) by_file[edit.file].push_back({edit.range, edit.text});
        std::shared_ptr<const trace::SourceFile> changed_main = main_;
        std::vector<std::string> overlaid;
        bool all_made = true;
        for (auto& [file, list] : by_file) {
            const text::Source& source = report_.files[file];
            const auto edits = text::Edits::make(std::move(list), source.text().size());
            if (!edits) return std::nullopt;
            auto made = with_text(source, edits->apply(source.text()));
            if (!made) {
                all_made = false;
                break;
            }
            auto changed = std::make_shared<const text::Source>(std::move(*made));
            if (file == report_.main) {
                changed_main = parsed(*edits, std::move(changed));
                all_made = all_made && changed_main != nullptr;
            } else {
                overlaid.push_back(source.path());
                project_.set_overlay(source.path(), std::move(changed));
            }
        }
        std::optional<Counted> out;
        if (all_made) out = count(changed_main);
        for (const std::string& path : overlaid) project_.set_overlay(path, nullptr);
        return out;
    }

    trace::Project& project_;
    const FileReport& report_;
    const config::FileConfig& config_;
    const EngineOptions& options_;
    std::string folder_;
    std::shared_ptr<const trace::SourceFile> main_;  // as it is
};

}  // namespace

std::vector<report::EstimatesOfFile> estimates_of(std::span<const FileReport> reports, std::span<const Input> inputs,
                                                  const EngineOptions& options) {
    std::map<std::string_view, const Input*> by_path;
    for (const Input& input : inputs) by_path.emplace(input.path, &input);
    std::vector<report::EstimatesOfFile> out(reports.size());
    text::in_parallel(reports.size(), options.jobs, [&] {
        return [&, project = std::make_shared<trace::Project>()](std::size_t i) {
            const auto input = by_path.find(reports[i].path);
            if (reports[i].findings.empty() || input == by_path.end()) return;
            out[i] = Estimator(*project, reports[i], *input->second->config, options).all();
        };
    });
    return out;
}

}  // namespace ptofix::cli
