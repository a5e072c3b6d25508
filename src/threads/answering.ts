import { parentPort } from 'node:worker_threads'

/** Makes this thread answer what `openThread` asks of it; returns `answer`. An error that is thrown ends the thread. */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Answer,
): (question: Question) => Answer {
  parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)))
  return answer
}

/** The same for answers that take steps of their own. A promise that is rejected ends the thread, as an error does. */
export function answerLater<Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  const send = async (question: Question): Promise<void> => parentPort?.postMessage(await answer(question))
  parentPort?.on('message', (question: Question) => void send(question))
  return answer
}
