// The code of the thread of page-thread.ts: looks at one page.
import { answerQuestions } from '#threads/answering.ts'
import { sightOf } from './page-sight.ts'

answerQuestions(sightOf)
