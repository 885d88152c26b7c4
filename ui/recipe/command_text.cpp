#include "ui/recipe/command_text.h"

#include <algorithm>

#include "ui/widgets/texts.h"

namespace anneal::ui {
namespace {

QString quoted(const QString& text) {
  const bool is_plain = !text.isEmpty() && std::all_of(text.begin(), text.end(), [](QChar c) {
    return (c.unicode() < 128 && c.isLetterOrNumber()) || QString("/._-+=,:@%").contains(c);
  });
  if (is_plain) return text;
  QString inner = text;
  return "'" + inner.replace("'", "'\\''") + "'";
}

}  // namespace

QString command_text(const engine::Recipe& recipe) {
  const auto& fields = engine::recipe_fields();
  const auto changed = fields.changed(recipe);
  QString text = "anneal train";
  const auto add = [&](const QString& words) { text += " \\\n  " + words; };
  for (const Field& field : fields.fields()) {
    if (std::find(changed.begin(), changed.end(), field.name) == changed.end()) continue;
    const QString flag = qt(flag_of(field));
    if (field.name == "data" || field.name == "eval_data") {
      const auto& paths = field.name == "data" ? recipe.data.data : recipe.data.eval_data;
      QString words = field.name == "data" ? QString("--data") : QString("--eval");
      for (const std::string& path : paths) words += " " + quoted(qt(path));
      add(words);
    } else {
      add(flag + " " + quoted(qt(fields.text(recipe, field.name))));
    }
  }
  return text;
}

}  // namespace anneal::ui
