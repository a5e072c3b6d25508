import { httpServer } from '../http-server.ts'

/** Web servers by number, any of which can be made to fail. */
export type Farm = {
  address: string
  urlOf: (number: number) => string
  fail: (numbers: readonly number[]) => void
  recover: (numbers: readonly number[]) => void
}

export async function startFarm(host: string): Promise<Farm> {
  const failing = new Set<number>()
  const { port } = await httpServer(
    (request, response) => {
      const number = Number(request.url?.slice(1))
      if (failing.has(number)) response.writeHead(500)
      response.end('said')
    },
    { host },
  )
  const address = `${host}:${port}`
  return {
    address,
    urlOf: (number) => `http://${address}/${number}`,
    fail: (numbers) => numbers.forEach((number) => failing.add(number)),
    recover: (numbers) => numbers.forEach((number) => failing.delete(number)),
  }
}
