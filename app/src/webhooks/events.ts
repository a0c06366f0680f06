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
