import type { StoryMutant } from './story-mutant.ts'

/** What a round makes of a monitor, and what is written of it. */
export const folds: readonly StoryMutant[] = [
  {
    name: 'remembers-before-the-commit',
    file: 'src/engine/results/commit-batch.ts',
    text: 'course.writtenMs = now()',
    replacement: `course.writtenMs = now()
    for (const draft of made) applyDraft(draft)`,
    defect: 'Memory follows before the commit, so that a second try of the transaction folds the round once more.',
  },
  {
    name: 'shares-the-open-round',
    file: 'src/engine/results/draft-rounds.ts',
    text: 'const copy = { ...round, waiting: [...round.waiting], failures: [...round.failures], degraded: [...round.degraded] }',
    replacement: 'const copy = round',
    defect: 'What a transaction heard that failed stays in the open round.',
  },
  {
    name: 'trusts-memory-after-a-failure',
    file: 'src/engine/rounds/memory-repair.ts',
    text: `          doubt()
          throw error`,
    replacement: '          throw error',
    defect: 'After a transaction of which no answer came, memory stays as it was before.',
  },
  {
    name: 'folds-a-round-again',
    file: 'src/engine/results/draft-rounds.ts',
    text: 'if (result.round <= watched.foldedUntil || result.round > nowMs * 1000) return null',
    replacement: 'if (result.round > nowMs * 1000) return null',
    defect: 'A result that comes after its round was folded begins the round again.',
  },
  {
    name: 'forgets-what-is-folded',
    file: 'src/engine/results/draft-rounds.ts',
    text: 'watched.foldedUntil = Math.max(watched.foldedUntil, open.time)',
    replacement: 'watched.foldedUntil = Math.min(watched.foldedUntil, open.time)',
    defect: 'Memory does not say up to where rounds are folded.',
  },
  {
    name: 'counts-another-round',
    file: 'src/engine/results/draft-rounds.ts',
    text: 'if (draft === null || draft.open.time !== result.round) continue',
    replacement: 'if (draft === null) continue',
    defect: 'A result of another round counts in the one that is open.',
  },
  {
    name: 'does-not-wait',
    file: 'src/core/results/round.ts',
    text: 'if (round.waiting.length > 0 && !settings.isPastDeadline) return null',
    replacement: 'if (round.failures.length > 0 && !settings.isPastDeadline) return null',
    defect: 'A round ends with the first location that got an answer, and what comes later is passed over.',
  },
  {
    name: 'settles-at-once',
    file: 'src/engine/results/draft-rounds.ts',
    text: 'close(draft, { isPastDeadline: open.dueMs <= nowMs, newId })',
    replacement: 'close(draft, { isPastDeadline: true, newId })',
    defect: 'A round that a takeover finds half answered ends without the other half.',
  },
  {
    name: 'opens-at-the-first-failure',
    file: 'src/core/incidents/evaluation.ts',
    text: "if (standing.status === 'down' || failures < failureThreshold)",
    replacement: "if (standing.status === 'down' || failures < Math.min(1, failureThreshold))",
    defect: 'An incident opens with the first failed round, however many were asked for.',
  },
  {
    name: 'ends-at-the-first-answer',
    file: 'src/core/incidents/evaluation.ts',
    text: 'if (successes < recoveryThreshold)',
    replacement: 'if (successes < Math.min(1, recoveryThreshold))',
    defect: 'An incident ends with the first answer, however many were asked for.',
  },
  {
    name: 'keeps-counting-failures',
    file: 'src/core/incidents/evaluation.ts',
    text: `  if (standing.status !== 'down')
    return { standing: { status, failures: 0, successes: 0 }`,
    replacement: `  if (standing.status !== 'down')
    return { standing: { status, failures: standing.failures, successes: 0 }`,
    defect: 'An answer between two failures does not end their row.',
  },
  {
    name: 'loses-the-incident',
    file: 'src/engine/results/draft-rounds.ts',
    text: 'return watched.incidentId\n',
    replacement: "return watched.standing.status === 'down' && watched.open === null ? null : watched.incidentId\n",
    defect: 'A round that a takeover folds forgets which incident runs.',
  },
  {
    name: 'never-ends-incidents',
    file: 'src/engine/results/write-drafts.ts',
    text: "const recovered = turned.filter(({ draft }) => draft.fold.transition.type === 'recovered')",
    replacement: "const recovered = down.filter(({ draft }) => draft.fold.transition.type === 'recovered')",
    defect: 'A monitor recovers and its incident goes on.',
  },
  {
    name: 'tells-of-no-recovery',
    file: 'src/engine/results/write-drafts.ts',
    text: '...recovered.flatMap(({ draft, face }) => recoveryOrder({ draft, face }, resolved)),',
    replacement: '',
    defect: 'An incident ends and no contact is told.',
  },
  {
    name: 'queues-alerts-apart',
    file: 'src/engine/results/commit-batch.ts',
    text: 'const overtaken = await writeDrafts(tx, made)',
    replacement: `const apart = { ...tx, enqueueAlerts: (orders) => store.transaction((other) => other.enqueueAlerts(orders)) }
    const overtaken = await writeDrafts(apart, made)`,
    defect: 'Alerts are queued whatever becomes of the transaction that opens their incident.',
  },
  {
    name: 'writes-what-was-changed',
    file: 'src/engine/results/write-drafts.ts',
    text: 'const current = written === null ? closed : closed.filter(({ watched }) => written.has(watched.key))',
    replacement: 'const current = closed',
    defect: 'A monitor that a person has just changed gets an incident although its state was not written.',
  },
  {
    name: 'dates-by-the-machine',
    file: 'src/engine/results/write-drafts.ts',
    text: '      at: dateOf(open.time),\n      locationCode',
    replacement: '      at: new Date(),\n      locationCode',
    defect: 'An incident begins when the clock of this machine says so, and not when its round was.',
  },
  {
    name: 'lets-problems-run',
    file: 'src/core/incidents/problem.ts',
    text: 'return { problem: null, ended: running, begun: null, grown: null }',
    replacement: 'return { problem: null, ended: null, begun: null, grown: null }',
    defect: 'A problem is over in memory, and goes on in the database.',
  },
  {
    name: 'awaits-a-call-anew-after-a-hang',
    file: 'src/engine/results/draft-rounds.ts',
    text: 'if (isOverrun(verdict)) return null',
    replacement: 'if (isOverrun(verdict)) return deadlineAfterCall(time, rhythm)',
    defect: 'A run that hangs puts off when the next call is due.',
  },
]
