// Serves the same bytes to everyone from memory, in a thread of its own: what an answer costs at least.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

export type BytesServer = { url: string; stop: () => Promise<void> }

export async function serveBytes(text: string): Promise<BytesServer> {
  const worker = new Worker(new URL(import.meta.url), { workerData: text })
  const [url] = await once(worker, 'message')
  return {
    url: String(url),
    stop: async () => {
      await worker.terminate()
    },
  }
}

if (!isMainThread && parentPort !== null) {
  const body = Buffer.from(String(workerData))
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  )
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    parentPort?.postMessage(`http://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}/`)
  })
}
