import { computeReport, slowestOf } from '#core/reports/compute-report.ts'
import type { ReportContent } from '#core/reports/report-content.ts'
import type { Database } from '#store/database/database.ts'
import { type ReadingsRequest, readReport, readSlow } from './report-readings.ts'

/** What a report says of a period, computed now. */
export async function readReportContent(
  { pool }: Pick<Database, 'pool'>,
  request: ReadingsRequest,
): Promise<ReportContent> {
  const { report, period, now } = request
  const readings = await readReport({ pool }, request)
  const monitors = slowestOf(readings.monitors).flatMap(({ id }) => {
    const key = readings.keyOf.get(id)
    return key === undefined ? [] : [{ id, key }]
  })
  return computeReport({ report, period, now }, readings, await readSlow({ pool }, { monitors, period }))
}
