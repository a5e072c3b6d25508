// A process of probers alone: it has neither the database nor the secret key of the installation.
import { Socket } from 'node:net'
import { pipeNumber } from './process-orders.ts'
import { serveThreads } from './serve-threads.ts'

serveThreads(new Socket({ fd: pipeNumber }))
