import { parentPort, workerData } from 'node:worker_threads'
import { checkedKinds } from '#kinds/checked-kinds.ts'
import { runProbers } from './prober-thread.ts'

if (parentPort !== null) await runProbers(workerData, { parent: parentPort, kinds: checkedKinds })
