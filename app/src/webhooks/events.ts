// What endpoints can be told. docs/api.md has the fields of each.

/** The operator's events have no partner; ids of partners begin with 1. */
export const OPERATOR = 0;

export const PARTNER_EVENTS = ['user.registered', 'reward.claimable', 'claim.ended'] as const;
export const OPERATOR_EVENTS = [
  'token.launched',
  'token.graduated',
  'token.settled',
  'payments.held',
] as const;

export function eventsOf(partnerId: number): readonly string[] {
  return partnerId === OPERATOR ? OPERATOR_EVENTS : PARTNER_EVENTS;
}

const EVENT_ID = /^msg_[0-9a-f]{32}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/;

/** Where a replay begins: an event's id, or a time in ISO 8601; undefined for another text. */
export function replayFrom(text: string): string | Date | undefined {
  if (EVENT_ID.test(text)) return text;
  return TIME.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text) : undefined;
}
