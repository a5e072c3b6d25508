// Exports of on-call schedules as three providers write them, each over a change of clocks.

/** Europe/Sofia goes from UTC+3 to UTC+2 on 2026-10-25 at 01:00 UTC. */
export const opsgenieExport = {
  data: [
    {
      id: '56ed3ff4-7bbc-4fd7-a5d4-3c4f0f5c2a6e',
      name: 'Shop_schedule',
      description: '',
      timezone: 'Europe/Sofia',
      enabled: true,
      ownerTeam: { id: '90098alp9-f0e3-41d3-a060-0ea895027630', name: 'ops_team' },
      rotations: [
        {
          id: 'a1',
          name: 'Business hours',
          startDate: '2026-01-05T07:00:00Z',
          type: 'weekly',
          length: 1,
          participants: [
            { type: 'user', id: 'u-ada', username: 'ada@example.com' },
            { type: 'user', id: 'u-bob', username: 'bob@example.com' },
          ],
          timeRestriction: {
            type: 'weekday-and-time-of-day',
            restrictions: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'].map((day) => ({
              startDay: day,
              startHour: 9,
              startMin: 0,
              endDay: day,
              endHour: 18,
              endMin: 0,
            })),
          },
        },
        {
          id: 'a2',
          name: 'Off hours',
          startDate: '2026-09-01T06:00:00Z',
          type: 'daily',
          length: 1,
          participants: [
            { type: 'user', id: 'u-bob', username: 'bob@example.com' },
            { type: 'user', id: 'u-cy', username: 'cy@example.com' },
            { type: 'user', id: 'u-ada', username: 'ada@example.com' },
          ],
          timeRestriction: {
            type: 'weekday-and-time-of-day',
            restrictions: [
              ['MONDAY', 'TUESDAY'],
              ['TUESDAY', 'WEDNESDAY'],
              ['WEDNESDAY', 'THURSDAY'],
              ['THURSDAY', 'FRIDAY'],
              ['FRIDAY', 'MONDAY'],
            ].map(([startDay, endDay]) => ({ startDay, startHour: 18, startMin: 0, endDay, endHour: 9, endMin: 0 })),
          },
        },
      ],
    },
  ],
  overrides: [
    {
      _parent: { id: '56ed3ff4-7bbc-4fd7-a5d4-3c4f0f5c2a6e', name: 'Shop_schedule', enabled: true },
      alias: 'swap',
      user: { type: 'user', id: 'u-cy', username: 'cy@example.com' },
      startDate: '2026-10-28T06:00:00Z',
      endDate: '2026-10-28T12:00:00Z',
    },
  ],
  took: 0.08,
  requestId: '0f2a7d3c',
}

const user = (id: string, name: string) => ({
  user: { id, summary: name, type: 'user_reference', self: `https://api.pagerduty.com/users/${id}` },
})
const [alan, regina, earline] = [
  user('PEARLY1', 'Alan B. Shepard'),
  user('PXPGF42', 'Regina Phalange'),
  user('PAM4FGS', 'Earline Greenholt'),
]

/** America/New_York goes from UTC-4 to UTC-5 on 2026-11-01 at 06:00 UTC. */
export const pagerdutyExport = {
  schedule: {
    id: 'PI7DH85',
    type: 'schedule',
    name: 'Daily Engineering Rotation',
    time_zone: 'America/New_York',
    schedule_layers: [
      {
        id: 'PLAYER3',
        name: 'Nights',
        start: '2026-10-01T19:00:00-04:00',
        end: null,
        rotation_virtual_start: '2026-10-01T19:00:00-04:00',
        rotation_turn_length_seconds: 86_400,
        users: [earline, regina],
        restrictions: [{ type: 'daily_restriction', start_time_of_day: '19:00:00', duration_seconds: 43_200 }],
      },
      {
        id: 'PLAYER2',
        name: 'Base',
        start: '2026-09-09T11:23:00-04:00',
        end: null,
        rotation_virtual_start: '2026-09-07T08:00:00-04:00',
        rotation_turn_length_seconds: 604_800,
        users: [alan, regina, earline],
        restrictions: [],
      },
      {
        id: 'PLAYER1',
        name: 'Before',
        start: '2025-01-06T08:00:00-05:00',
        end: '2026-09-09T11:23:00-04:00',
        rotation_virtual_start: '2025-01-06T08:00:00-05:00',
        rotation_turn_length_seconds: 604_800,
        users: [alan],
        restrictions: [],
      },
    ],
    overrides: [{ id: 'PQ47DCP', start: '2026-11-03T12:00:00-05:00', end: '2026-11-03T13:00:00-05:00', ...alan }],
    users: [],
  },
  users: [{ id: 'PXPGF42', name: 'Regina Phalange', email: 'regina@example.com' }],
}

/** Europe/Sofia, as above. Two are on call at once in every second week. */
export const grafanaExport = {
  schedules: {
    count: 1,
    next: null,
    results: [
      {
        id: 'SBM7DV7BKFUYU',
        team_id: null,
        name: 'Demo schedule',
        type: 'web',
        time_zone: 'Europe/Sofia',
        on_call_now: ['U4DNY931HHJS5'],
        shifts: ['OWEEKS', 'ODAYS', 'OSWAP'],
      },
    ],
  },
  on_call_shifts: [
    {
      id: 'OWEEKS',
      name: 'Business hours',
      type: 'rolling_users',
      time_zone: null,
      level: 1,
      start: '2026-10-05T09:00:00',
      rotation_start: '2026-10-05T09:00:00',
      duration: 28_800,
      frequency: 'weekly',
      interval: 1,
      until: null,
      week_start: 'MO',
      by_day: ['MO', 'TU', 'WE', 'TH', 'FR'],
      by_month: null,
      by_monthday: null,
      rolling_users: [['UADA'], ['UBOB', 'UCY']],
      start_rotation_from_user_index: 0,
    },
    {
      id: 'ODAYS',
      name: 'Base',
      type: 'rolling_users',
      time_zone: null,
      level: 0,
      start: '2026-10-01T00:00:00',
      rotation_start: '2026-10-01T00:00:00',
      duration: 86_400,
      frequency: 'daily',
      interval: 1,
      until: null,
      by_day: null,
      rolling_users: [['UADA'], ['UCY']],
      start_rotation_from_user_index: 1,
    },
    {
      id: 'OSWAP',
      name: 'Override',
      type: 'override',
      start: '2026-10-27T10:00:00',
      rotation_start: '2026-10-27T10:00:00',
      duration: 3_600,
      users: ['UADA'],
    },
  ],
  users: [
    { id: 'UADA', username: 'ada', email: 'ada@example.com' },
    { id: 'UBOB', username: 'bob', email: 'bob@example.com' },
    { id: 'UCY', username: 'cy', email: 'cy@example.com' },
  ],
}
