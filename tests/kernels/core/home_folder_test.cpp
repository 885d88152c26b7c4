#include "kernels/core/home_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "kernels/core/error.h"

namespace anneal {
namespace {

// Sets the three variables for one test and puts them back.
class HomeFolder : public ::testing::Test {
 protected:
  HomeFolder() {
    for (const char* name : {"ANNEAL_HOME", "XDG_DATA_HOME", "HOME"}) {
      const char* value = std::getenv(name);
      if (value != nullptr) before_[name] = value;
      ::unsetenv(name);
    }
  }
  ~HomeFolder() override {
    for (const char* name : {"ANNEAL_HOME", "XDG_DATA_HOME", "HOME"}) {
      ::unsetenv(name);
      if (before_.contains(name)) ::setenv(name, before_[name].c_str(), 1);
    }
  }
  std::map<std::string, std::string> before_;
};

TEST_F(HomeFolder, IsWhatThePersonSaysElseTheDataFolder) {
  ::setenv("HOME", "/people/ann", 1);
  EXPECT_EQ(home_folder(), "/people/ann/.local/share/anneal");
  ::setenv("XDG_DATA_HOME", "relative", 1);
  EXPECT_EQ(home_folder(), "/people/ann/.local/share/anneal");
  ::setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(home_folder(), "/data/anneal");
  ::setenv("ANNEAL_HOME", "/fast/../disk", 1);
  EXPECT_EQ(home_folder(), "/disk");
  ::setenv("ANNEAL_HOME", "here", 1);
  EXPECT_TRUE(home_folder().is_absolute());
}

TEST_F(HomeFolder, WithoutAnyIsOneSentence) { EXPECT_THROW(home_folder(), Error); }

}  // namespace
}  // namespace anneal
