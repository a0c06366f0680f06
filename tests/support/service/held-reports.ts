import type { SettlementReport } from '#app/graduation/settlement/report.js';

/** Holds each report back until it is let go, and then adds it to the list. */
export function heldReports(reports: SettlementReport[]) {
  const waiting: string[] = [];
  let most = 0;
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const onReport = async (report: SettlementReport) => {
    waiting.push(report.mint);
    most = Math.max(most, waiting.length);
    await gate;
    waiting.splice(waiting.indexOf(report.mint), 1);
    reports.push(report);
  };
  return { waiting, most: () => most, letGo, onReport };
}
