import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { ProberWarning, ProberWorkerData } from './worker.ts'

export type ProberThreadsOptions = Omit<ProberWorkerData, 'port' | 'name'> & {
  threads: number
  /** Unique among all processes of the installation. */
  name: string
  attach: (port: MessagePort) => void
  log: { warn: (message: string, details?: Record<string, unknown>) => void }
}

export type ProberThreads = { stop: () => Promise<void> }

const stopMs = 15_000
/** A thread that died comes back after this long. */
const restartMs = 1_000
/** A thread that needs more than this is ended by Node before it takes the whole process with it. */
const maxOldSpaceMb = 1_024
const youngSpaceMb = 16

/** Probers in threads of their own, so that a slow check never delays the API or the engine. */
export function startProberThreads(options: ProberThreadsOptions): ProberThreads {
  const threads = Array.from({ length: options.threads }, (_, index) => startThread(options, index))
  return {
    stop: async () => {
      await Promise.all(threads.map((thread) => thread.stop()))
    },
  }
}

function startThread(options: ProberThreadsOptions, index: number): ProberThreads {
  let isStopping = false
  let restart: NodeJS.Timeout | null = null
  let worker = spawn()

  function spawn(): Worker {
    const { port1, port2 } = new MessageChannel()
    const { locations, allowPrivate, dnsServers, services, references } = options
    const workerData: ProberWorkerData = {
      locations,
      allowPrivate,
      dnsServers,
      services,
      references,
      name: `${options.name}-${index}`,
      port: port2,
    }
    const spawned = new Worker(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
      workerData,
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: maxOldSpaceMb, maxYoungGenerationSizeMb: youngSpaceMb },
    })
    options.attach(port1)
    spawned.on('message', ({ message, details }: ProberWarning) => options.log.warn(message, details))
    spawned.on('error', (error) => options.log.warn('A prober thread failed.', { error: String(error) }))
    spawned.on('exit', () => {
      port1.close()
      if (isStopping) return
      restart = setTimeout(() => {
        worker = spawn()
      }, restartMs)
    })
    return spawned
  }

  return {
    stop: async () => {
      isStopping = true
      if (restart !== null) clearTimeout(restart)
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage('stop')
      const timer = setTimeout(() => void worker.terminate(), stopMs)
      if (worker.threadId !== -1) await ended
      clearTimeout(timer)
    },
  }
}
