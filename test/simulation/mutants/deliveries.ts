import type { StoryMutant } from './story-mutant.ts'

/** Alerts on their way to people. */
export const deliveries: readonly StoryMutant[] = [
  {
    name: 'counts-failures-as-delivered',
    file: 'src/jobs/contacts/deliver.ts',
    text: "  if (decision.type === 'delivered') {\n    // Without",
    replacement: "  if (decision.type !== 'give_up') {\n    // Without",
    defect: 'An alert that did not arrive is marked as delivered.',
  },
  {
    name: 'marks-before-it-sends',
    file: 'src/jobs/contacts/deliver.ts',
    text: 'const startMs = parts.now().getTime()',
    replacement: `const startMs = parts.now().getTime()
  const sent = deliveryEvent(claim.contact, { attempt: claim.attempt, error: null })
  await store.transaction((tx) => tx.endDelivery(claim, { state: 'delivered', statusCode: 200, error: null, event: sent }))`,
    defect: 'An alert is marked as delivered before it was sent.',
  },
  {
    name: 'repeats-at-once',
    file: 'src/core/contacts/delivery-retry.ts',
    text: 'return Math.round(Math.max(waitMs, askedMs) * (1 + jitter * random))',
    replacement: 'return Math.round(Math.min(waitMs, askedMs) * (1 + jitter * random))',
    defect: 'A contact that does not answer is told again and again without a pause.',
  },
  {
    name: 'gives-up-early',
    file: 'src/core/contacts/delivery-retry.ts',
    text: 'state.ageMs + delayMs <= alertLifetimeMs',
    replacement: 'state.ageMs + delayMs <= alertLifetimeMs / 1440',
    defect: 'An alert is given up after a minute.',
  },
  {
    name: 'takes-failures-for-refusals',
    file: 'src/core/contacts/delivery-retry.ts',
    text: 'return isInTime ? { type:',
    replacement: 'return isInTime && state.attempt > 1 ? { type:',
    defect: 'A first attempt that got no answer is the last one.',
  },
]
