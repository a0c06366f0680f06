// Writes Unicode's table of confusable characters (UTS 39) from the crate unicode-security. Run it by hand for a new version of
// the crate: `npx tsx scripts/confusables.ts VERSION`. The service then folds the names of all tokens once more.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TABLE = 'app/src/market/books/generated/confusables.json';
const PROGRAM = `fn main() {
    println!("{}", unicode_security::UNICODE_VERSION.0);
    for one in ('!'..=char::MAX).map(String::from) {
        let prototype: String = unicode_security::skeleton(&one).collect();
        if prototype != one && !prototype.is_empty() {
            println!("{one}\\t{prototype}");
        }
    }
}`;

const [version = '0.1.3'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'confusables-'));
mkdirSync(join(folder, 'src'));
writeFileSync(join(folder, 'src', 'main.rs'), PROGRAM);
writeFileSync(
  join(folder, 'Cargo.toml'),
  `[package]\nname = "confusables"\nedition = "2021"\n[dependencies]\nunicode-security = "=${version}"\n`,
);
const printed = execFileSync('cargo', ['run', '--quiet'], { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });
rmSync(folder, { recursive: true });
const [unicode = '', ...lines] = printed.trimEnd().split('\n');
const alike = new Map<string, string>();
for (const [one = '', prototype = ''] of lines.map((line) => line.split('\t'))) {
  // The service folds texts of this form only.
  if (one.normalize('NFKD') === one) alike.set(prototype, (alike.get(prototype) ?? '') + one);
}
const table = {
  version: `unicode-security ${version}, Unicode ${unicode}`,
  licence: 'https://www.unicode.org/license.txt',
  alike: Object.fromEntries(alike),
};
writeFileSync(TABLE, `${JSON.stringify(table, null, 1)}\n`);
