import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import type { MonitorAction } from '../../api/overview.ts'

export type BulkWords = {
  /** The effect on the monitors. */
  says: MessageDescriptor
  /** The button beside the selection; the count is formatted already. */
  some: (count: string) => string
  many: (count: number) => string
  ask: (count: number) => string
  done: (count: number) => string
  /** `done`: as it is shown. */
  partly: (done: string, count: number) => string
}

export const bulkWords: Readonly<Record<MonitorAction, BulkWords>> = {
  pause: {
    says: msg`They are no longer checked. Ongoing incidents are resolved without an alert.`,
    some: (count) => t`Pause ${count}`,
    many: (count) => plural(count, { one: 'Pause # monitor', other: 'Pause # monitors' }),
    ask: (count) => plural(count, { one: 'Pause # monitor?', other: 'Pause # monitors?' }),
    done: (count) => plural(count, { one: '# monitor paused.', other: '# monitors paused.' }),
    partly: (done, count) =>
      plural(count, { one: `${done} of # monitor paused`, other: `${done} of # monitors paused` }),
  },
  resume: {
    says: msg`Their first checks run at once.`,
    some: (count) => t`Resume ${count}`,
    many: (count) => plural(count, { one: 'Resume # monitor', other: 'Resume # monitors' }),
    ask: (count) => plural(count, { one: 'Resume # monitor?', other: 'Resume # monitors?' }),
    done: (count) => plural(count, { one: '# monitor resumed.', other: '# monitors resumed.' }),
    partly: (done, count) =>
      plural(count, { one: `${done} of # monitor resumed`, other: `${done} of # monitors resumed` }),
  },
  delete: {
    says: msg`Their results are deleted permanently. Their incidents stay.`,
    some: (count) => t`Delete ${count}`,
    many: (count) => plural(count, { one: 'Delete # monitor', other: 'Delete # monitors' }),
    ask: (count) => plural(count, { one: 'Delete # monitor?', other: 'Delete # monitors?' }),
    done: (count) => plural(count, { one: '# monitor deleted.', other: '# monitors deleted.' }),
    partly: (done, count) =>
      plural(count, { one: `${done} of # monitor deleted`, other: `${done} of # monitors deleted` }),
  },
}

export const changeWords: Omit<BulkWords, 'says'> = {
  some: (count) => t`Change ${count}…`,
  many: (count) => plural(count, { one: 'Change # monitor', other: 'Change # monitors' }),
  ask: (count) => plural(count, { one: 'What to change in # monitor', other: 'What to change in # monitors' }),
  done: (count) => plural(count, { one: '# monitor changed.', other: '# monitors changed.' }),
  partly: (done, count) =>
    plural(count, { one: `${done} of # monitor changed`, other: `${done} of # monitors changed` }),
}
