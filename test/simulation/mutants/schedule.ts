import type { StoryMutant } from './story-mutant.ts'

/** When rounds begin, and what the clock does to them. */
export const schedule: readonly StoryMutant[] = [
  {
    name: 'overlooks-a-clock-that-goes-back',
    file: 'src/engine/clock-watch.ts',
    text: 'if (Math.abs(jumpMs) > toleratedJumpMs) {',
    replacement: 'if (jumpMs > toleratedJumpMs) {',
    defect: 'A clock that is set back is not noticed, and monitors wait until their time comes again.',
  },
  {
    name: 'gives-up-on-probers',
    file: 'src/engine/rounds/asking.ts',
    text: 'if (asked !== undefined && presence.hasHeard(asked, nowMs)) return true',
    replacement: 'if (asked !== undefined && presence.hasHeard(asked, nowMs)) return false',
    defect: 'When a prober comes or goes, rounds no longer wait for the others.',
  },
  {
    name: 'checks-half-as-often',
    file: 'src/core/monitors/schedule.ts',
    text: 'return nowMs - late + (late > 0 ? schedule.intervalMs : 0)',
    replacement: 'return nowMs - late + (late > 0 ? 2 * schedule.intervalMs : 0)',
    defect: 'Every other check is left out.',
  },
]
