import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { z } from 'zod'
import type { Answer } from '../../../test/support/api.ts'
import { challengeOf, market, receiptOf } from '../../../test/support/paying.ts'
import { creatingCases } from '../../../test/support/payment-cases/creating.ts'
import { keepingCases } from '../../../test/support/payment-cases/keeping.ts'
import { payingCases } from '../../../test/support/payment-cases/paying.ts'
import { refusingCases } from '../../../test/support/payment-cases/refusing.ts'

/** The last column of the table is what the API answered. */
const cases = [...creatingCases, ...keepingCases, ...payingCases, ...refusingCases]

describe('the table of payment rules', async () => {
  const api = await market()

  it('in docs/payments.md says of every case what the API answers', { timeout: 120_000 }, async () => {
    const rows: string[][] = []
    for (const [rule, request, play] of cases) rows.push([rule, request, told(await play(api))])
    const text = readFileSync(new URL('../../../docs/payments.md', import.meta.url), 'utf8')
    const written = text
      .slice(text.indexOf('<!-- cases -->'), text.indexOf('<!-- end of cases -->'))
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
    assert.deepEqual(written, rows, rows.map((row) => `| ${row.join(' | ')} |`).join('\n'))
  })
})

const body = z.looseObject({
  error: z.string().optional(),
  type: z.string().optional(),
  amount_due: z.string().optional(),
  fields: z.record(z.string(), z.unknown()).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  api_key: z.string().optional(),
})
const monitorMembers = ['billing', 'billing_period', 'paid_locations', 'paid_until', 'price_cents', 'amount_due_cents']

/** An answer in few words. */
function told(answer: Answer): string {
  const { error, type, amount_due: due, fields, data, api_key: key } = body.parse(answer.body)
  const amount = answer.status === 402 ? String(challengeOf(answer).request['amount']) : null
  const words = [
    String(answer.status),
    ...(type === undefined ? (error === undefined ? [] : [`\`${error}\``]) : [`\`${type.split('/').at(-1)}\``]),
    ...(fields === undefined ? [] : [`on \`${Object.keys(fields).join('`, `')}\``]),
    ...(due === undefined ? [] : [`$${due} due`]),
    ...(amount === null ? [] : [`card charges ${amount} cents`]),
    ...(data === undefined ? [] : tellData(data)),
    ...(key === undefined ? [] : ['with `api_key`']),
    ...(receiptOf(answer) === null ? [] : ['with `Payment-Receipt`']),
  ]
  return words.join(', ')
}

function tellData(data: Record<string, unknown>): string[] {
  if ('credit_cents' in data && 'plan' in data) return [`${String(data['credit_cents'])} cents of credit`]
  const { status, billing_state: state } = data
  const troubles = [...(status === 'paused' ? ['paused'] : []), ...(state === 'overdue' ? ['overdue'] : [])]
  const members = monitorMembers.flatMap((member) => {
    const value = data[member]
    if (typeof value === 'string') return [`${member} ${value.slice(0, 10)}`]
    return typeof value === 'number' && value > 0 ? [`${member} ${value}`] : []
  })
  return [...troubles, ...members]
}
