// What a scenario may say, all layers together: every default, range, choice and condition of a key makes sense.
#include "run/vocabulary.h"

#include <gtest/gtest.h>

#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

TEST(Vocabulary, HasNoProblems) { EXPECT_EQ(vocabulary_problems(vocabulary()), std::vector<std::string>{}); }

// A word of users that is no scheme gets an answer that helps, and not the nearest name.
TEST(Vocabulary, KnowsWhatPeopleMeanByOtherWords) {
  const auto said = [](const std::string& scheme) {
    testing::Star star;
    star.scheme = "name = '" + scheme + "'\n";
    star.traffic = testing::flows("[0, 1, 1000]");
    return testing::refusal(star.text());
  };
  for (const char* word : {"pfc", "PFC", "pause"})
    EXPECT_TRUE(says(said(word), "choose it with flow_control in [switch]")) << word;
  for (const char* word : {"ecn", "red", "WRED"})
    EXPECT_TRUE(says(said(word), "part of the scheme `dcqcn`, with the keys kmin, kmax and pmax")) << word;
  EXPECT_TRUE(says(said("rocev2"), "its usual congestion control is the scheme `dcqcn`"));
  EXPECT_TRUE(says(said("dcqnc"), "did you mean `dcqcn`?"));
}

// No section has a kind, or a key, that it warns of.
TEST(Vocabulary, OtherWordsAreNoWordsOfItsOwn) {
  std::size_t words = 0;
  for (const SectionSpec& section : vocabulary().sections)
    for (const OtherWord& other : section.other_words) {
      EXPECT_EQ(section.find_kind(other.word), nullptr) << other.word;
      if (section.name.empty()) {
        EXPECT_EQ(vocabulary().find(other.word), nullptr) << other.word;
      }
      if (other.word == "cnp") continue;  // no scheme, and a key of several
      EXPECT_EQ(section.find_param(nullptr, other.word), nullptr) << section.name << "." << other.word;
      for (const KindSpec& kind : section.kinds)
        EXPECT_EQ(section.find_param(&kind, other.word), nullptr) << kind.name << "." << other.word;
      ++words;
    }
  EXPECT_GT(words, 60u);
}

// The same for keys.
TEST(Vocabulary, KnowsWhatPeopleMeanByOtherKeys) {
  const auto said = [](const std::string& line) {
    testing::Star star;
    star.switches = line + "\n";
    star.traffic = testing::flows("[0, 1, 1000]");
    return testing::refusal(star.text());
  };
  EXPECT_TRUE(says(said("pfc = true"), "choose priority flow control with flow_control = \"pfc\""));
  EXPECT_TRUE(says(said("ecn = true"), "kmin, kmax and pmax are its keys"));
  EXPECT_TRUE(says(said("ETS = [1, 2]"), "lanes share a link by lane_weights"));
  EXPECT_TRUE(says(said("vlarb = '0:4'"), "vlarb_high, vlarb_low and vlarb_high_limit"));
  EXPECT_TRUE(says(said("headroom = '10kB'"), "`weir headroom` calculates it"));
  EXPECT_TRUE(says(said("dynamic_th = -3"), "did you mean `pfc_alpha` (a multiple"));
  EXPECT_TRUE(says(said("flow_control = 'pfc'\npfc_alpha = -3"), "-3 means 2^-3 = 0.125"));
  EXPECT_TRUE(says(said("wred_min = '10kB'"), "kmin, kmax and pmax are its keys"));
  EXPECT_TRUE(
      says(said("flow_control = 'pfc'\norganisation = 'output-queued'\nbuffer = '32MB'"), "set `shared_buffer`"));
  EXPECT_TRUE(says(said("lane_weight = [1]"), "did you mean `lane_weights`?"));
  EXPECT_TRUE(says(said("dscp = 26"), "`lane` in [[traffic]] chooses one"));
  EXPECT_TRUE(says(said("kmin = '100kB'"), "switches mark under the scheme `dcqcn`"));
  EXPECT_TRUE(says(said("pfc_priority = 3"), "a priority or traffic class is a lane"));
  EXPECT_TRUE(says(said("pfc_xoff = '10kB'"), "the shared memory that is left, times pfc_alpha"));
  const auto said_of = [](const std::string& section) {
    return testing::refusal(
        "[topology]\nkind = 'star'\n[[traffic]]\npattern = 'incast'\ntarget = 0\nbytes = 1\n" + section);
  };
  EXPECT_TRUE(says(said_of("[packet]\nmtu = 4096\n"), "did you mean `payload`"));
  EXPECT_TRUE(says(said_of("[link]\nlength = '50m'\n"), "5 ns for each metre"));
  EXPECT_TRUE(says(said_of("[scheme]\nname = 'dcqcn'\nrpg_time_reset = 300\n"), "did you mean `timer` of dcqcn?"));
  EXPECT_TRUE(says(said_of("[scheme]\nname = 'dcqcn'\necn_kmin = '1kB'\n"), "did you mean `kmin` of dcqcn?"));
  EXPECT_TRUE(says(said_of("priority = 3\n"), "`lane` in [[traffic]] chooses one"));
  EXPECT_TRUE(says(testing::refusal("[topology]\nkind = 'fat-tree'\n"), "`leaf-spine` (two tiers)"));
}

// The same for whole sections.
TEST(Vocabulary, KnowsWhatPeopleMeanByKeysOfOtherPrograms) {
  const auto said = [](const std::string& text) {
    return testing::refusal("[topology]\nkind = 'leaf-spine'\n[[traffic]]\npattern = 'uniform'\nload = 0.1\n[run]\n"
                            "duration = '1us'\n" + text);
  };
  const auto dcqcn = [&](const std::string& key) { return said("[scheme]\nname = 'dcqcn'\n" + key + " = 1\n"); };
  EXPECT_TRUE(says(dcqcn("ecn_threshold"), "did you mean `kmin` and `kmax` of dcqcn?"));
  EXPECT_TRUE(says(dcqcn("wred_min"), "did you mean `kmin` of dcqcn?"));
  EXPECT_TRUE(says(dcqcn("red_max"), "did you mean `kmax` of dcqcn?"));
  EXPECT_TRUE(says(dcqcn("cnp_dscp"), "is cnp_lane of dcqcn"));
  EXPECT_TRUE(says(dcqcn("rpg_gd"), "a sender cuts its rate by alpha / 2"));
  EXPECT_TRUE(says(said("[failures]\ndown = ['S1']\n"), "are listed in failed"));
  EXPECT_TRUE(says(said("[failures]\nslow = ['S1']\n"), "are listed in degraded"));
  EXPECT_TRUE(says(said("[adapter]\nrx_rate = '1Gbps'\n"), "did you mean `receive_rate`?"));
  EXPECT_TRUE(says(said("[[traffic]]\npattern = 'WebSearch'\n"), "pattern = \"flow-arrivals\" with sizes"));
  EXPECT_TRUE(says(said("[[traffic]]\npattern = 'flows'\npath = 'f.csv'\n"), "did you mean `file`?"));
  EXPECT_TRUE(says(testing::refusal("[topology]\nkind = 'spine-leaf'\n"), "did you mean `leaf-spine`?"));
}

TEST(Vocabulary, KnowsWhatPeopleMeanByOtherSections) {
  const auto said = [](const std::string& section) { return testing::refusal("[" + section + "]\nenabled = true\n"); };
  EXPECT_TRUE(says(said("host"), "unknown section [host]: what hosts do is in [adapter]"));
  EXPECT_TRUE(says(said("PFC"), "unknown section [PFC]: choose priority flow control with flow_control = \"pfc\""));
  EXPECT_TRUE(says(said("ecn"), "as kmin, kmax and pmax of name = \"dcqcn\""));
  EXPECT_TRUE(says(said("dcqcn"), "unknown section [dcqcn]: it is [scheme] with name = \"dcqcn\""));
  EXPECT_TRUE(says(said("leaf-spine"), "it is [topology] with kind = \"leaf-spine\""));
  EXPECT_TRUE(says(testing::refusal("pfc = true\n"), "unknown key `pfc` at the top of the file: choose priority"));
}

}  // namespace
}  // namespace weir
