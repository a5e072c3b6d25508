// The code of the thread of template-thread.ts: renders the templates of one message.
import { answerQuestions } from '#threads/answering.ts'
import { createRenderer } from './render.ts'

answerQuestions(createRenderer())
