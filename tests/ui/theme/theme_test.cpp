#include "ui/theme/theme.h"

#include <gtest/gtest.h>

namespace anneal::ui {
namespace {

TEST(Theme, ContrastIsThatOfTheStandard) {
  EXPECT_NEAR(contrast(Qt::black, Qt::white), 21, 1e-6);
  EXPECT_NEAR(contrast(QColor("#777777"), Qt::white), 4.478, 0.001);  // WCAG's well-known near miss
}

class ThemeContrast : public testing::TestWithParam<const Theme*> {};

TEST_P(ThemeContrast, WordsCanBeReadOnEveryGround) {
  const Theme& t = *GetParam();
  for (const QColor& ground : {t.page, t.card, t.window, t.hover, t.selected, t.chosen_row, t.sunken, t.popup}) {
    for (const QColor& ink : {t.text, t.soft, t.muted, t.info.ink})
      EXPECT_GE(contrast(ink, ground), 4.5) << ink.name().toStdString() << " on " << ground.name().toStdString();
  }
  EXPECT_GE(contrast(t.on_accent, t.accent), 4.5);
  EXPECT_GE(contrast(t.on_accent, t.accent_hover), 4.5);
  for (const ToneName name : {ToneName::kNeutral, ToneName::kInfo, ToneName::kOk, ToneName::kWarn, ToneName::kBad}) {
    const Tone& tone = t.tone(name);
    EXPECT_GE(contrast(tone.ink, tone.tint), 4.5) << tone.ink.name().toStdString();
    EXPECT_GE(contrast(tone.ink, t.card), 4.5) << tone.ink.name().toStdString();
    EXPECT_GE(contrast(t.text, tone.tint), 4.5);
  }
}

TEST_P(ThemeContrast, CurvesAndBoxesStandOutFromTheCard) {
  const Theme& t = *GetParam();
  for (const QColor& curve : t.series) EXPECT_GE(contrast(curve, t.card), 3.0) << curve.name().toStdString();
  EXPECT_GE(contrast(t.outline, t.card), 3.0);
}

INSTANTIATE_TEST_SUITE_P(Both, ThemeContrast, testing::Values(&light_theme(), &dark_theme()),
                         [](const auto& one) { return one.param->is_dark ? "Dark" : "Light"; });

}  // namespace
}  // namespace anneal::ui
