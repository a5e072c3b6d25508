import type {
  OnCallNowRecord,
  OnCallOverrideRecord,
  OnCallScheduleRecord,
  OnCallShiftRecord,
  OnCallShiftsRecord,
} from '#core/contacts/on-call-schedule.ts'
import { api } from './console.ts'

export type { OnCallNowRecord, OnCallOverrideRecord, OnCallScheduleRecord, OnCallShiftRecord, OnCallShiftsRecord }

export type OverrideInput = { starts_at: string; ends_at: string; contact_id: string | null }
export type Stretch = { from: Date; until: Date }

/** Requests about the on-call schedules of a workspace. */
export type OnCallApi = {
  list: () => Promise<OnCallScheduleRecord[]>
  listNow: () => Promise<OnCallNowRecord[]>
  /** With what each layer gives by itself. */
  readShifts: (id: string, stretch: Stretch) => Promise<OnCallShiftsRecord>
  override: (id: string, input: OverrideInput) => Promise<OnCallOverrideRecord>
  /** Another secret address, told this once. */
  replaceCalendar: (id: string) => Promise<{ url: string }>
}

export function onCallApi(workspaceId: string): OnCallApi {
  const { list, post, page } = api(workspaceId)
  const root = '/on-call-schedules'
  return {
    list: () => list(root),
    listNow: () => list('/on-call'),
    readShifts: async (id, { from, until }) => {
      const asked = { from: from.toISOString(), until: until.toISOString(), layers: '1' }
      const query = new URLSearchParams(asked).toString()
      return (await page<{ data: OnCallShiftsRecord }>(`${root}/${id}/shifts?${query}`)).data
    },
    override: (id, input) => post(`${root}/${id}/overrides`, input),
    replaceCalendar: (id) => post(`${root}/${id}/calendar`, undefined),
  }
}
