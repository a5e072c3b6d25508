import type { z } from 'zod'
import { accountSchema, billingDetailsSchema, locationSchema } from '#core/account.ts'
import { alertChannelSchema } from '#core/alert-channel.ts'
import { incidentDetailSchema, incidentEventSchema, incidentSchema } from '#core/incident.ts'
import { monitorDetailSchema } from '#core/monitor-detail.ts'
import { monitorSchema } from '#core/monitor.ts'
import { paymentRequiredSchema, quoteSchema } from '#core/payment-required.ts'
import { creditTransactionSchema, paymentSchema } from '#core/payment.ts'
import { receiptSchema } from '#core/receipt.ts'
import { resultSchema } from '#core/result.ts'
import { dayBarSchema, problemSchema } from '#core/uptime-bars.ts'
import { allTimeSchema } from '#core/uptime-history.ts'
import { uptimeDaySchema } from '#core/uptime.ts'
import {
  catalogEntrySchema,
  findingSchema,
  softwareImportSchema,
  softwareSchema,
  vulnerabilitiesSchema,
} from '#core/vulnerability.ts'
import { errorSchema } from './error-schema.ts'

/** The schemas of answers by the names they have in the API's documents: the specification's, then their parts. */
export const components: Readonly<Record<string, z.ZodType>> = {
  Account: accountSchema,
  BillingDetails: billingDetailsSchema,
  AlertChannel: alertChannelSchema,
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
  Error: errorSchema,
  IncidentDetail: incidentDetailSchema,
  IncidentEvent: incidentEventSchema,
  UptimeBar: dayBarSchema,
  Problem: problemSchema,
  AllTime: allTimeSchema,
}
