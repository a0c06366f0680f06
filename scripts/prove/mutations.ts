/** Alterations of Rust arithmetic, one place at a time. */

export interface Mutant {
  /** Line and alteration. */
  readonly name: string;
  readonly text: string;
}

/** What is altered into what. Each pattern is global; `$1` is its group. */
const RULES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bRounding::Down\b(?!( =>|,\n\s+Up))/g, ['Rounding::Up']],
  [/\bRounding::Up\b(?! =>)/g, ['Rounding::Down']],
  [/\bchecked_add\b/g, ['checked_sub']],
  [/\bchecked_sub\b/g, ['checked_add']],
  [/\bchecked_mul\b/g, ['checked_div', 'checked_add']],
  [/\bchecked_div\b/g, ['checked_mul']],
  [/\bsaturating_mul\b/g, ['saturating_add']],
  [/\bsaturating_add\b/g, ['saturating_mul']],
  [/\.div_ceil\((.+?)\)\)/g, ['.checked_div($1)).ok_or(TradeError::Logical)?']],
  [/ < /g, [' <= ', ' > ']],
  [/ <= /g, [' < ', ' >= ']],
  [/ > (?!=)/g, [' >= ', ' < ']],
  [/ >= /g, [' > ', ' <= ']],
  [/ == /g, [' > ', ' < ']],
  [/ && /g, [' || ']],
  [/ >> u16::BITS/g, ['']],
  [/\b0\b(?!_)/g, ['1']],
  [/\b1\b(?!_)/g, ['0', '2']],
  [/\.filter\([^)]*\)/g, ['']],
  [/\.min\(.+?\.into\(\)\)/g, ['']],
  [/\bTradeError::Logical\b/g, ['TradeError::Slippage']],
  [/\bTradeError::Slippage\b/g, ['TradeError::Logical']],
  [/\bGraduationError::TooLittleForPool\b/g, ['GraduationError::AmountOutOfRange']],
  [/ {4}if [^{]+\{\n\s+return Err\([^;]+;\n\s+\}\n/g, ['']],
  // One amount in the place of another.
  [/\bnet\b(?= ?[,)])/g, ['fee', 'sol_to_spend']],
  [/\bfee\b(?= ?[,)])/g, ['net', 'gross']],
  [/\bgross\b(?= ?[,)])/g, ['sol_out', 'token_to_spend']],
  [/\bsol_to_spend\b(?= ?[,)])/g, ['net', 'min_token_out']],
  [/\btoken_to_spend\b(?= ?[,)])/g, ['min_sol_out']],
  [/\bavailable\b(?= ?[,)])/g, ['token_out']],
  [/\btoken_out\b(?= ?[,)])/g, ['available', 'net']],
  [/\bsol_in\b(?= ?[,)])/g, ['net', 'sol_to_spend']],
  [/\bmin_token_out\b(?= ?[,)])/g, ['token_out']],
  [/\bvirtual_token\b(?= ?[,)])/g, ['reserves.virtual_token']],
  [/(?<=reserves\.)virtual_sol\b/g, ['virtual_token']],
  [/(?<=reserves\.)virtual_token\b/g, ['virtual_sol']],
  [/\bkept\b(?= ?[,)])/g, ['BASIS_POINTS']],
  [/\bcommunity_sol\b(?= ?[,)])/g, ['costs']],
  [/\bcommunity_token\b(?= ?[,)])/g, ['community_sol']],
  [/\bpool_token\b(?= ?[,)])/g, ['left']],
  [/\bpool_sol\b(?= ?,)/g, ['migration.sol']],
  [/(?<=migration\.)sol\b/g, ['token']],
  [/(?<=migration\.)token\b/g, ['sol']],
  [/(?<=storages\.)wsol\b/g, ['token']],
  [/(?<=storages\.)token\b/g, ['wsol']],
  [/(?<=terms\.)virtual_sol\b/g, ['virtual_token']],
  [/(?<=terms\.)virtual_token\b/g, ['virtual_sol']],
  [/\binitial_virtual_sol\b(?= ?[,)<>])/g, ['initial_virtual_token']],
  [/\binitial_virtual_token\b(?= ?[,)<>])/g, ['initial_virtual_sol']],
];

/** Where the code ends and the tests begin. */
const TESTS = '#[cfg(test)]\nmod tests {';

/** Every alteration of the functions in a source, without its comments, imports and tests. */
export function mutantsOf(source: string): Mutant[] {
  const first = source.search(/^(pub )?fn |^ +pub fn /m);
  const last = source.indexOf(TESTS);
  const end = last === -1 ? source.length : last;
  const mutants: Mutant[] = [];
  for (const [pattern, replacements] of RULES) {
    for (const match of source.matchAll(pattern)) {
      const { index } = match;
      const line = source.slice(source.lastIndexOf('\n', index) + 1, source.indexOf('\n', index));
      const isSignature = /^\s*(pub )?(pub\(crate\) )?(fn|use|const|struct|\/\/)/.test(line);
      if (index < first || index >= end || isSignature) continue;
      const column = index - source.lastIndexOf('\n', index) - 1;
      // The names that a `let` gives are not values.
      if (/^\s*let \(/.test(line) && column < line.indexOf('=')) continue;
      const isShorthand = line.trim() === `${match[0]},` || /^\s*Ok\(Self \{/.test(line);
      for (const replacement of replacements) {
        const to = (isShorthand ? `${match[0]}: ` : '') + replacement.replace('$1', match[1] ?? '');
        const text = source.slice(0, index) + to + source.slice(index + match[0].length);
        const number = source.slice(0, index).split('\n').length;
        const from = match[0].trim().split('\n')[0]!;
        mutants.push({ name: `${number}: ${from} -> ${to.trim() || 'nothing'} in ${line.trim()}`, text });
      }
    }
  }
  return mutants.filter(({ text }) => text !== source);
}
