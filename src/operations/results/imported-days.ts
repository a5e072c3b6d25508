import { z } from 'zod'
import { invalidFields } from '#core/language/error.ts'
import { dayOf } from '#core/language/utc-day.ts'
import {
  importedDaysInputSchema,
  importedDaysProblems,
  importedDaysSchema,
  toCounts,
} from '#core/results/imported-days.ts'
import { maxUptimeDays } from '#core/results/uptime.ts'
import { replaceImportedDays } from '#store/results/imported-days.ts'
import { findMonitorReportBounds } from '#operations/monitors/monitor-surroundings.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const importDays = defineOperation({
  name: 'import_days',
  method: 'PUT',
  path: '/monitors/{id}/imported-days',
  scope: 'write',
  surface: 'programs',
  subject: 'monitor',
  tag: 'Results and incidents',
  summary: 'Import the daily history of another tool, from before the monitor was created',
  description:
    `At most ${maxUptimeDays} UTC days before the one on which the monitor was created. They replace all days that ` +
    `were imported before; an empty list removes them. They count in uptime like its own days, and answers name ` +
    `their source. They do not count in incidents, objectives and percentiles.`,
  body: { schema: importedDaysInputSchema, isRequired: true, schemaName: 'ImportedDaysInput' },
  errors: [401, 403, 404, 422],
  success: {
    status: 200,
    description: 'Which days the monitor has from elsewhere now; null for none.',
    schema: z.strictObject({ data: importedDaysSchema.nullable() }),
  },
  find: findMonitorReportBounds,
  run: async ({ services, now }, { target: { monitorKey, createdAt }, body }) => {
    const problems = importedDaysProblems(body, dayOf(createdAt))
    if (Object.keys(problems).length > 0) throw invalidFields(problems)
    const { source, days } = body
    await services.database.transaction((tx) =>
      replaceImportedDays(tx, { monitorKey, source, days: days.map(toCounts), at: now }),
    )
    const dates = days.map(({ date }) => date).toSorted()
    const [from, to] = [dates[0], dates.at(-1)]
    return { status: 200, body: { data: from === undefined || to === undefined ? null : { source, from, to } } }
  },
})

export const importedDaysOperations = [importDays]
