import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { testCarriers } from '../../../test/support/jobs.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { listed, reportIn } from '../../../test/support/software.ts'
import { until } from '../../../test/support/until.ts'
import { scanSoftware } from './software-scans.ts'

/** A website that shows its server at once, or once it is let go. */
async function site({ isSlow }: { isSlow: boolean }) {
  const state = { asked: 0, held: isSlow }
  const waiting: (() => void)[] = []
  const { port } = await httpServer((request, response) => {
    const answer = (): void => void response.writeHead(200, { server: 'nginx/1.26.1' }).end('<html></html>')
    if (request.url !== '/robots.txt') state.asked += 1
    if (state.held) waiting.push(answer)
    else answer()
  })
  return {
    url: `http://127.0.0.1:${port}/`,
    state,
    letGo: () => {
      state.held = false
      for (const answer of waiting.splice(0)) answer()
    },
  }
}

type Site = Awaited<ReturnType<typeof site>>

async function world(api: TestApi) {
  await api.database.pool.query('delete from monitors')
  const follow = async ({ url }: Pick<Site, 'url'>, { token = api.token, input = {} } = {}) => {
    const { id } = await createMonitor(api, { url, vulnerability_alerts: true, ...input }, token)
    return {
      id,
      isFound: async () =>
        listed(reportIn(await api.get(`/monitors/${id}/vulnerabilities`, { token }))).includes('nginx 1.26.1'),
    }
  }
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const scan = (): Promise<void> => {
    const { database, services } = api
    const parts = {
      database,
      carriers: testCarriers(),
      privateNet: null,
      secrets: services.secrets,
      log,
      now: () => new Date(),
    }
    return scanSoftware(parts, new AbortController().signal)
  }
  return { follow, scan, another: async () => (await api.addWorkspace('pro')).token }
}

describe('the turns of scans', async () => {
  const api = await testApi()

  it('leave room for others beside a workspace of many slow websites, also for what becomes due later', async () => {
    const { follow, scan, another } = await world(api)
    const slow = await Promise.all(Array.from({ length: 5 }, () => site({ isSlow: true })))
    for (const one of slow) await follow(one)
    const asked = (): number => slow.reduce((sum, { state }) => sum + state.asked, 0)
    const quick = await site({ isSlow: false })
    const first = await follow(quick, { token: await another() })
    const scanning = scan()
    await until('the scan of another workspace', first.isFound)
    const later = await follow(quick, { token: await another() })
    await until('a scan that became due while others were under way', later.isFound)
    assert.equal(asked(), 2)
    for (const { letGo } of slow) letGo()
    await scanning
    assert.ok(asked() >= 5)
  })

  it('leave room for other hosts beside one that many workspaces have', async () => {
    const { follow, scan, another } = await world(api)
    const slow = await site({ isSlow: true })
    for (let number = 0; number < 5; number += 1) await follow(slow, { token: await another() })
    const { isFound } = await follow(await site({ isSlow: false }), { token: await another() })
    const scanning = scan()
    await until('the scan of another host', isFound)
    assert.equal(slow.state.asked, 2)
    slow.letGo()
    await scanning
  })

  it('leave room for websites beside slow repositories', async () => {
    const { follow, scan, another } = await world(api)
    const slow = await Promise.all(Array.from({ length: 6 }, () => site({ isSlow: true })))
    for (const { url } of slow)
      await follow(
        { url: `${url}shop.git` },
        { token: await another(), input: { kind: 'repository', vulnerability_alerts: undefined } },
      )
    const { isFound } = await follow(await site({ isSlow: false }), { token: await another() })
    const scanning = scan()
    await until('the scan of a website', isFound)
    for (const { letGo } of slow) letGo()
    await scanning
  })

  it('pass over those that nobody wants any more', async () => {
    const { follow, scan } = await world(api)
    const quick = await site({ isSlow: false })
    const followed = await Promise.all(Array.from({ length: 8 }, () => follow(quick)))
    await scan()
    for (const { id } of followed.slice(1)) await api.post(`/monitors/${id}/pause`)
    await api.database.pool.query(
      `update software_scans
      set due_at = now() - case when monitors.status = 'paused' then interval '2 days' else interval '1 day' end
      from monitors where monitors.key = monitor_key`,
    )
    quick.state.asked = 0
    await scan()
    assert.equal(quick.state.asked, 1)
    const { rowCount } = await api.database.pool.query('select from software_scans where due_at <= now()')
    assert.equal(rowCount, 0)
  })
})
