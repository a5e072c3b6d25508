import { t } from '@lingui/core/macro'
import type { ImportSource } from '../../api/imports.ts'

/** What each source is called. */
export function sourceName(source: ImportSource): string {
  return sourceNames()[source]
}

export function sourceOptions(): { value: string; label: string }[] {
  return [
    { value: '', label: t`Detect from the file` },
    ...Object.entries(sourceNames()).map(([value, label]) => ({ value, label })),
  ]
}

function sourceNames(): Readonly<Record<ImportSource, string>> {
  return {
    kuma: t`Uptime Kuma`,
    gatus: t`Gatus`,
    uptimerobot: t`UptimeRobot`,
    healthchecks: t`Healthchecks`,
    blackbox: t`blackbox_exporter`,
    har: t`A recording of a browser (HAR)`,
    postman: t`Postman`,
    openapi: t`OpenAPI`,
    list: t`A list of addresses, or a sitemap`,
  }
}
