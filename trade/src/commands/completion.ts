// `curvekit-trade completion SHELL`: a script that completes commands and options.
import type { Command } from 'commander';
import type { Registration } from '../command.js';
import { EXIT } from '../errors.js';

interface Words {
  readonly command: string;
  readonly about: string;
  readonly options: readonly { readonly long: string; readonly about: string }[];
}

const SCRIPTS: Readonly<Record<string, (all: readonly Words[]) => string>> = { bash, zsh, fish };

export function registerCompletion(program: Command, { terminal, setExitCode }: Registration): void {
  const shells = Object.keys(SCRIPTS);
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .argument('<shell>', shells.join(', '))
    .addHelpText('after', '\nFor bash: source <(curvekit-trade completion bash)')
    .action((shell: string) => {
      const script = SCRIPTS[shell];
      if (script === undefined) {
        terminal.err(`curvekit-trade: the shell is '${shell}'; it must be one of ${shells.join(', ')}`);
        return setExitCode(EXIT.usage);
      }
      terminal.out(script(program.commands.flatMap(wordsOf)));
    });
}

function wordsOf(command: Command): Words[] {
  // `quote` has commands of its own, which share its options.
  const below = command.commands.flatMap(({ options }) => options);
  const named = [...command.options, ...below].flatMap(({ long, description }) =>
    long ? [{ long, about: description }] : [],
  );
  const options = [...new Map([...named, HELP].map((option) => [option.long, option])).values()];
  return [{ command: command.name(), about: command.description(), options }];
}

const HELP = { long: '--help', about: 'display help for command' };

function bash(all: readonly Words[]): string {
  const cases = all.map(({ command, options }) => `    ${command}) words="${longs(options)}" ;;`);
  return `_curvekit_trade() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${all.map(({ command }) => command).join(' ')} --help --version"; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _curvekit_trade curvekit-trade`;
}

function zsh(all: readonly Words[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(all)}`;
}

function fish(all: readonly Words[]): string {
  const start = 'complete -c curvekit-trade';
  return all
    .flatMap(({ command, about, options }) => [
      `${start} -n __fish_use_subcommand -a ${command} -d ${quoted(about)}`,
      ...options.map(
        (option) =>
          `${start} -n '__fish_seen_subcommand_from ${command}' -l ${option.long.slice(2)} -d ${quoted(option.about)}`,
      ),
    ])
    .join('\n');
}

function longs(options: Words['options']): string {
  return options.map(({ long }) => long).join(' ');
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
