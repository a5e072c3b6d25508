// Contacts of one kind, made and tested over the API.
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Carriers } from '#contacts/send.ts'
import { contactSchema } from '#core/contacts/contact-record.ts'
import { createGuard } from '#net/dial/guard.ts'
import type { Net } from '#net/net.ts'
import { type TestApi, testApi } from './api.ts'
import { testCarriers } from './jobs.ts'

type Contact = z.infer<typeof contactSchema>
type Input = { kind: string; destination: string; options?: unknown }

export type ContactApi = {
  api: TestApi
  made: (input: Input) => Promise<Contact>
  /** The names of the fields that are refused. */
  refusedFields: (input: Input) => Promise<string[]>
  /** Empty when the test alert was accepted, else why it was not. */
  test: (id: string) => Promise<string>
}

const one = z.strictObject({ data: contactSchema })
const refusal = z.looseObject({ message: z.string(), fields: z.record(z.string(), z.unknown()).optional() })

export async function contactApi(net: Net = testCarriers().net, more: Partial<Carriers> = {}): Promise<ContactApi> {
  const api = await testApi({
    services: {
      carriers: testCarriers({ net, ...more }),
      isForbiddenAddress: createGuard(['127.0.0.0/8']).isForbiddenAddress,
    },
  })
  const create = (input: Input) => api.post('/alert-channels', { name: 'Operations', ...input })
  return {
    api,
    made: async (input) => {
      const answer = await create(input)
      assert.equal(answer.status, 201, answer.text)
      return one.parse(answer.body).data
    },
    refusedFields: async (input) => {
      const answer = await create(input)
      assert.equal(answer.status, 422, answer.text)
      return Object.keys(refusal.parse(answer.body).fields ?? {})
    },
    test: async (id) => {
      const answer = await api.post(`/alert-channels/${id}/test`)
      return answer.status === 200 ? '' : refusal.parse(answer.body).message
    },
  }
}

/** A net by which requests to `origin`, the only address that a provider has, reach a stand-in at `url`. */
export function netInPlaceOf(origin: string, url: string): Net {
  const { net } = testCarriers()
  return {
    ...net,
    http: (request, signal) => {
      assert.equal(request.url.origin, origin)
      return net.http({ ...request, url: new URL(request.url.pathname + request.url.search, url) }, signal)
    },
  }
}
