#pragma once
#include <limits>

#include "soft_program.h"
#include "support/json_files.h"

namespace trilith::solve {

/// The rows of a snapshot as a program: J, R, aref as they were recorded.
inline Program recorded_program(const io::Json& snapshot, const io::Json& compiled) {
  Program p;
  const io::Json& efc = *snapshot.find("efc");
  p.center = test::numbers(snapshot.find("qacc_smooth"));
  const std::size_t n = p.center.size();
  std::vector<std::vector<double>> M(n, std::vector<double>(n, 0.0));
  if (const io::Json* dense = snapshot.find("M")) {
    for (std::size_t i = 0; i < n; ++i) M[i] = test::numbers(&(*dense->array())[i]);
  } else {
    const io::Json& lower = *snapshot.find("M_lower");
    const auto row = test::numbers(lower.find("row")), col = test::numbers(lower.find("col")), val = test::numbers(lower.find("val"));
    for (std::size_t k = 0; k < row.size(); ++k) {
      const auto i = static_cast<std::size_t>(row[k]), j = static_cast<std::size_t>(col[k]);
      M[i][j] = M[j][i] = val[k];
    }
  }
  p.set_P(M);
  const io::Json* dense_rows = efc.find("J");
  const io::Json* sparse_rows = efc.find("J_rows");
  const auto rows_count = static_cast<std::size_t>(*efc.find("n")->number());
  for (std::size_t i = 0; i < rows_count; ++i) {
    std::vector<double> row(n, 0.0);
    if (dense_rows) {
      row = test::numbers(&(*dense_rows->array())[i]);
    } else {
      const io::Json& entry = (*sparse_rows->array())[i];
      const auto column = test::numbers(entry.find("col")), value = test::numbers(entry.find("val"));
      for (std::size_t k = 0; k < column.size(); ++k) row[static_cast<std::size_t>(column[k])] = value[k];
    }
    p.add_row(row);
  }
  p.R = test::numbers(efc.find("R"));
  p.shift = test::numbers(efc.find("aref"));
  p.scale = 1 / (*compiled.find("meaninertia")->number() * static_cast<double>(n));
  const auto type = test::numbers(efc.find("type")), loss = test::numbers(efc.find("frictionloss"));
  std::vector<std::vector<double>> mus;
  p.numbers.reserve(4 * rows_count);
  for (std::size_t i = 0; i < rows_count;) {
    const auto row = static_cast<std::int32_t>(i);
    std::size_t size = 1;
    if (type[i] == 7) {
      for (const io::Json& contact : *snapshot.find("contacts")->array()) {
        if (static_cast<std::size_t>(*contact.find("efc_address")->number()) != i) continue;
        size = static_cast<std::size_t>(*contact.find("dim")->number());
        const auto friction = test::numbers(contact.find("friction"));
        p.numbers.emplace_back(friction.begin(), friction.begin() + static_cast<std::ptrdiff_t>(size) - 1);
      }
      p.add_group(rows::SetKind::elliptic, row, static_cast<std::int32_t>(size), static_cast<std::int32_t>(size)).mu = p.numbers.back();
    } else if (type[i] <= 2) {
      const double bound = type[i] == 0 ? std::numeric_limits<double>::infinity() : loss[i];
      p.numbers.push_back({-bound});
      p.numbers.push_back({bound});
      rows::RowGroup& group = p.add_group(rows::SetKind::box, row, 1, 1);
      group.lower = p.numbers[p.numbers.size() - 2], group.upper = p.numbers.back();
    } else {
      p.add_group(rows::SetKind::nonnegative, row, 1, 1);
    }
    i += size;
  }
  return p;
}

}  // namespace trilith::solve
