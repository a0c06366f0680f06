import type { Command } from 'commander';
import { work, type Registration, type Invocation, type Result } from '../command.js';
import { examine } from '../doctor/examine.js';
import type { Finding } from '../doctor/finding.js';
import { renderTable } from '../format.js';

export function register(command: Command, registration: Registration): void {
  work(command, registration, runDoctor);
}

const SHOWN = {
  ok: { text: 'ok', style: 'green' },
  warning: { text: 'warning', style: 'yellow' },
  failure: { text: 'FAILURE', style: 'red' },
} as const;

async function runDoctor({ terminal }: Invocation<object>): Promise<Result> {
  const findings = await examine(terminal);
  const failures = findings.filter(({ state }) => state === 'failure').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  const verdict = failures === 0 ? 'Nothing is broken' : `${failures} of these must be fixed`;
  return {
    document: { findings },
    text: `${findingTable(findings, terminal.colour)}\n\n${verdict}; ${warnings} warnings.`,
    failed: failures > 0,
  };
}

function findingTable(findings: readonly Finding[], colour: boolean): string {
  return renderTable(
    ['subject', 'state', 'detail'],
    findings.map((finding) => ({
      cells: [finding.subject, SHOWN[finding.state].text, described(finding)],
      style: finding.state === 'ok' ? undefined : SHOWN[finding.state].style,
    })),
    colour,
  );
}

function described(finding: Finding): string {
  if (finding.state === 'ok') return finding.detail;
  return `${finding.detail}\n→ ${finding.fix}\n  ${finding.runbook}`;
}
