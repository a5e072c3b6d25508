import type { OnCallImportRecord, OnCallSourceName } from '#core/contacts/on-call-import.ts'
import type {
  OnCallLayer,
  OnCallNowRecord,
  OnCallOverrideRecord,
  OnCallScheduleRecord,
  OnCallShiftRecord,
  OnCallShiftsRecord,
} from '#core/contacts/on-call-schedule.ts'
import { api } from './console.ts'

export type {
  OnCallImportRecord,
  OnCallLayer,
  OnCallNowRecord,
  OnCallOverrideRecord,
  OnCallScheduleRecord,
  OnCallShiftRecord,
  OnCallShiftsRecord,
  OnCallSourceName,
}

/** What a form says of a schedule; the service refuses what is wrong in it. */
export type OnCallContent = { name: string; time_zone: string; layers: readonly OnCallLayer[] }
export type OnCallImportInput = {
  source: OnCallSourceName
  content: string
  dry_run: boolean
  people: Readonly<Record<string, string | null>>
}
export type OverrideInput = { starts_at: string; ends_at: string; contact_id: string | null }
export type Stretch = { from: Date; until: Date }

/** Requests about the on-call schedules of a workspace. */
export type OnCallApi = {
  list: () => Promise<OnCallScheduleRecord[]>
  add: (schedule: OnCallContent) => Promise<OnCallScheduleRecord>
  /** Makes schedules of an export, or tells what it would make. */
  importSchedules: (input: OnCallImportInput) => Promise<OnCallImportRecord>
  change: (id: string, schedule: OnCallContent) => Promise<OnCallScheduleRecord>
  remove: (id: string) => Promise<void>
  listNow: () => Promise<OnCallNowRecord[]>
  /** With what each layer gives by itself. */
  readShifts: (id: string, stretch: Stretch) => Promise<OnCallShiftsRecord>
  /** The newest first, also those that ended. */
  listOverrides: (id: string) => Promise<OnCallOverrideRecord[]>
  override: (id: string, input: OverrideInput) => Promise<OnCallOverrideRecord>
  removeOverride: (id: string, overrideId: string) => Promise<void>
  /** Another secret address, told this once. */
  replaceCalendar: (id: string) => Promise<{ url: string }>
}

export function onCallApi(workspaceId: string): OnCallApi {
  const { list, post, patch, remove, page } = api(workspaceId)
  const root = '/on-call-schedules'
  return {
    list: () => list(root),
    add: (schedule) => post(root, schedule),
    importSchedules: (input) => post(`${root}/import`, input),
    change: (id, schedule) => patch(`${root}/${id}`, schedule),
    remove: (id) => remove(`${root}/${id}`),
    listNow: () => list('/on-call'),
    readShifts: async (id, { from, until }) => {
      const asked = { from: from.toISOString(), until: until.toISOString(), layers: '1' }
      const query = new URLSearchParams(asked).toString()
      return (await page<{ data: OnCallShiftsRecord }>(`${root}/${id}/shifts?${query}`)).data
    },
    listOverrides: (id) => list(`${root}/${id}/overrides`),
    override: (id, input) => post(`${root}/${id}/overrides`, input),
    removeOverride: (id, overrideId) => remove(`${root}/${id}/overrides/${overrideId}`),
    replaceCalendar: (id) => post(`${root}/${id}/calendar`, undefined),
  }
}
