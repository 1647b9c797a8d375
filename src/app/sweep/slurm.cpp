#include "app/sweep/slurm.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/process.h"
#include "app/report_file.h"

namespace weir {
namespace {

constexpr unsigned kTasks = 16, kHours = 24;

// The command of the sweep, without what concerns the script.
std::string command_line(const SweepOptions& o, const std::string& program) {
  const auto absolute = [](const std::string& path) { return std::filesystem::absolute(path).string(); };
  std::vector<std::string> words{program, "sweep", absolute(o.file)};
  for (const std::string& set : o.set) words.insert(words.end(), {"--set", set});
  if (!o.out.empty()) words.insert(words.end(), {"--out", absolute(o.out)});
  const std::vector<std::string> result = words_of_result(o);
  words.insert(words.end(), result.begin(), result.end());
  if (o.lost_after != SweepOptions{}.lost_after)
    words.insert(words.end(), {"--lost-after", fmt::format("{}", o.lost_after)});
  if (o.retry) words.push_back("--retry");
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

std::string plain_name(const std::string& name) {
  std::string plain;
  for (const char c : name) plain += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  return plain;
}

}  // namespace

std::string slurm_script(const SweepOptions& options, const SweepPlan& plan) {
  const std::string program = own_program();
  const bool ranks = std::filesystem::exists(program + "-mpi");
  const unsigned tasks = options.tasks == 0 ? kTasks : options.tasks;
  const unsigned hours = options.hours == 0 ? kHours : options.hours;
  const std::string command = command_line(options, program);
  std::string text = "#!/bin/bash\n";
  text += fmt::format(
      "# A sweep of weir: {} points, {} runs at most. Submit it with sbatch. After a time limit or a failure,\n# "
      "submit it again to continue.\n",
      plan.points.size(), plan.runs.size());
  text += fmt::format("#SBATCH --job-name=weir-{}\n", plain_name(plan.base.name));
  text += ranks ? fmt::format("#SBATCH --ntasks={}            # rank 0 distributes the runs, the others execute "
                              "them\n#SBATCH --cpus-per-task=1\n",
                              tasks)
                : fmt::format("#SBATCH --nodes=1\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task={}\n", tasks);
  text += fmt::format("#SBATCH --time={}:00:00\n#SBATCH --output=weir-{}-%j.log\n#SBATCH --requeue\n", hours,
                      plain_name(plan.base.name));
  text += fmt::format("set -eu\ncd {}\n", shell_word(std::filesystem::current_path().string()));
  if (!ranks) return text + "exec " + command + " --threads \"$SLURM_CPUS_PER_TASK\"\n";
  text += "export OMPI_MCA_orte_enable_recovery=1   # if a rank dies, only its run is lost and assigned again\n";
  return text + "exec mpirun " + command + "\n";
}

}  // namespace weir
