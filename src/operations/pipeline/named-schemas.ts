import type { z } from 'zod'
import { accountSchema, billingDetailsSchema, locationSchema } from '#core/account.ts'
import { contactSchema } from '#core/contacts/contact-record.ts'
import {
  onCallDetailSchema,
  onCallGapSchema,
  onCallOverrideSchema,
  onCallScheduleSchema,
  onCallShiftSchema,
} from '#core/contacts/on-call-schedule.ts'
import { commentSchema } from '#core/incidents/comment.ts'
import { incidentDetailSchema, incidentEventSchema, incidentSchema } from '#core/incidents/incident.ts'
import { monitorDetailSchema } from '#core/monitors/monitor-detail.ts'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { paymentRequiredSchema, quoteSchema } from '#core/money/payment-required.ts'
import { creditTransactionSchema, paymentSchema } from '#core/money/payment.ts'
import { receiptSchema } from '#core/money/receipt.ts'
import { reportContentSchema } from '#core/reports/report-content.ts'
import { reportSchema } from '#core/reports/report.ts'
import { resultSchema } from '#core/results/result.ts'
import { dayBarSchema, problemSchema } from '#core/results/uptime-bars.ts'
import { allTimeSchema } from '#core/results/uptime-history.ts'
import { uptimeDaySchema } from '#core/results/uptime.ts'
import {
  catalogEntrySchema,
  findingSchema,
  softwareImportSchema,
  softwareSchema,
  vulnerabilitiesSchema,
} from '#core/software/vulnerability.ts'
import { maintenanceSchema } from '#core/maintenance.ts'
import { trialSchema } from '#core/monitors/trial.ts'
import { statusPageSchema } from '#core/status-pages/status-page.ts'
import { errorSchema } from './error-schema.ts'

/** The schemas of answers by their names in the API's documents: resources first, then their parts. */
export const components: Readonly<Record<string, z.ZodType>> = {
  Account: accountSchema,
  BillingDetails: billingDetailsSchema,
  AlertChannel: contactSchema,
  OnCallSchedule: onCallScheduleSchema,
  OnCallScheduleDetail: onCallDetailSchema,
  OnCallShift: onCallShiftSchema,
  OnCallGap: onCallGapSchema,
  OnCallOverride: onCallOverrideSchema,
  Report: reportSchema,
  ReportContent: reportContentSchema,
  Location: locationSchema,
  Monitor: monitorSchema,
  MonitorDetail: monitorDetailSchema,
  Result: resultSchema,
  UptimeDay: uptimeDaySchema,
  Incident: incidentSchema,
  CreditTransaction: creditTransactionSchema,
  Payment: paymentSchema,
  Receipt: receiptSchema,
  Quote: quoteSchema,
  PaymentRequired: paymentRequiredSchema,
  Vulnerabilities: vulnerabilitiesSchema,
  Software: softwareSchema,
  Finding: findingSchema,
  SoftwareImport: softwareImportSchema,
  CatalogEntry: catalogEntrySchema,
  StatusPage: statusPageSchema,
  MaintenanceWindow: maintenanceSchema,
  Trial: trialSchema,
  Error: errorSchema,
  IncidentDetail: incidentDetailSchema,
  IncidentComment: commentSchema,
  IncidentEvent: incidentEventSchema,
  UptimeBar: dayBarSchema,
  Problem: problemSchema,
  AllTime: allTimeSchema,
}
