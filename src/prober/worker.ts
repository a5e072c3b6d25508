import { parentPort, workerData } from 'node:worker_threads'
import { kinds } from '#kinds/index.ts'
import { runProbers } from './prober-thread.ts'

if (parentPort !== null) await runProbers(workerData, { parent: parentPort, kinds })
