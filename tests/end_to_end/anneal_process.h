#pragma once
// Runs the `anneal` program as a person would, and takes what it prints.

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fcntl.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/core/json.h"
#include "tests/support/temporary_folder.h"

namespace anneal::tests {

struct Finished {
  int status = -1;  // exit status; 128 + signal where one ended it
  std::string out;
  std::string err;
  // Lines of --json.
  std::vector<Json> events() const {
    std::vector<Json> list;
    std::size_t begin = 0;
    while (begin < out.size()) {
      const std::size_t end = out.find('\n', begin);
      list.push_back(parse_json(out.substr(begin, end - begin), "line"));
      begin = end == std::string::npos ? out.size() : end + 1;
    }
    return list;
  }
  std::vector<Json> events(const std::string& kind) const {
    std::vector<Json> list;
    for (const Json& event : events()) {
      if (event.value("event", "") == kind) list.push_back(event);
    }
    return list;
  }
};

class AnnealProcess {
 public:
  explicit AnnealProcess(const TemporaryFolder& folder) : folder_(folder) {}

  // More variables for the program: "NAME=value".
  std::vector<std::string> environment;

  pid_t start(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words{ANNEAL_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::vector<std::string> variables = environment;
    variables.push_back("ANNEAL_HOME=" + (folder_.path() / "home").string());
    for (const char* name : {"PATH", "HOME", "OMP_NUM_THREADS", "ASAN_OPTIONS", "LD_LIBRARY_PATH"}) {
      if (const char* value = std::getenv(name)) variables.push_back(std::string(name) + "=" + value);
    }
    std::vector<char*> envp;
    for (std::string& variable : variables) envp.push_back(variable.data());
    envp.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, file("out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, file("err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = -1;
    posix_spawn(&child, ANNEAL_PROGRAM, &actions, nullptr, argv.data(), envp.data());
    posix_spawn_file_actions_destroy(&actions);
    return child;
  }
  Finished wait(pid_t child) const {
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read("out"), read("err")};
  }
  Finished run(const std::vector<std::string>& arguments) const { return wait(start(arguments)); }
  // What a running program has printed so far.
  std::string printed() const { return read("out"); }

 private:
  std::string file(const std::string& name) const { return (folder_.path() / ("process." + name)).string(); }
  std::string read(const std::string& name) const {
    std::ifstream stream(file(name), std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  }
  const TemporaryFolder& folder_;
};

}  // namespace anneal::tests
