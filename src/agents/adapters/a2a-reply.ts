import type { Artifact, Message, Part, StreamResponse, Task, TaskState, TaskStatus } from '@a2a-js/sdk'
import { AgentError, InfrastructureError } from '../../errors.ts'
import { messageText } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'

/** The SDK's enum, without loading the SDK. */
const taskState = {
  submitted: 1,
  working: 2,
  completed: 3,
  failed: 4,
  canceled: 5,
  inputRequired: 6,
  rejected: 7,
  authRequired: 8,
} as const satisfies Record<string, TaskState>

/** What an agent has said to one message, so far: words, or a task that may still go on. */
export interface A2aAnswer {
  contextId: string
  message?: Message
  task?: { id: string; status: TaskStatus | undefined; artifacts: Map<string, Artifact> }
}

/** Adds an event of a stream, or a whole answer that came in one piece. */
export function addEvent(answer: A2aAnswer, { payload }: StreamResponse): void {
  if (payload === undefined) return
  const { value } = payload
  answer.contextId = value.contextId || answer.contextId
  if (payload.$case === 'message') answer.message = payload.value
  else if (payload.$case === 'task') addTask(answer, payload.value)
  else {
    answer.task ??= { id: payload.value.taskId, status: undefined, artifacts: new Map() }
    if (payload.$case === 'statusUpdate') answer.task.status = payload.value.status
    else if (payload.value.artifact)
      addArtifact(answer.task.artifacts, payload.value.artifact, payload.value.append)
  }
}

export function addTask(answer: A2aAnswer, { id, status, artifacts }: Task): void {
  answer.task = { id, status, artifacts: new Map() }
  for (const artifact of artifacts ?? []) addArtifact(answer.task.artifacts, artifact, false)
}

function addArtifact(artifacts: Map<string, Artifact>, artifact: Artifact, append: boolean): void {
  const earlier = append ? (artifacts.get(artifact.artifactId)?.parts ?? []) : []
  artifacts.set(artifact.artifactId, { ...artifact, parts: [...earlier, ...artifact.parts] })
}

/** A task that nobody waits for any more goes on. */
export function isInProgress({ task }: A2aAnswer): boolean {
  const state = task?.status?.state
  return state === taskState.submitted || state === taskState.working
}

/** A task that waits for the user goes on with the user's next message. */
export function awaitedTask({ task }: A2aAnswer): string | undefined {
  return task?.status?.state === taskState.inputRequired ? task.id : undefined
}

export function toA2AReply(answer: A2aAnswer, from: string): Reply {
  if (answer.message !== undefined)
    return createReply(messageParts(answer.message), messageParts(answer.message))
  if (answer.task === undefined) throw new InfrastructureError('bad_response', `${from} sent no answer`)
  const { status, artifacts } = answer.task
  const said = messageParts(status?.message)
  const made = [...artifacts.values()].flatMap(({ parts }) => parts)
  const details = joinPartTexts(said) === '' ? '' : `: ${joinPartTexts(said)}`
  switch (status?.state) {
    case taskState.completed:
      return createReply([...said, ...made], made.length > 0 ? made : said)
    case taskState.inputRequired:
      return { ...createReply([...said, ...made], made.length > 0 ? made : said), awaitingInput: true }
    case taskState.failed:
      throw new AgentError(`the task failed${details}`)
    case taskState.rejected:
      throw new AgentError(`the agent rejected the task${details}`)
    case taskState.canceled:
      throw new AgentError(`the agent canceled the task${details}`)
    case taskState.authRequired:
      throw new InfrastructureError('http', `${from} asks for authentication${details}`)
    default:
      throw new InfrastructureError(
        'bad_response',
        `${from} left the task in state ${status?.state ?? 'none'}${details}`,
      )
  }
}

/** The content is the text of `said`; the output, which checks look at, is the data in `made` if there is any. */
function createReply(said: readonly Part[], made: readonly Part[]): Reply {
  const content = joinPartTexts(said)
  const data = made.flatMap(({ content: part }) => (part?.$case === 'data' ? [part.value as unknown] : []))
  const output = data.length === 0 ? joinPartTexts(made) : data.length === 1 ? data[0] : data
  return { content, output, messages: [{ role: 'assistant', content }], toolCalls: 'hidden' }
}

function messageParts(message: Message | undefined): Part[] {
  return message?.parts ?? []
}

/** Text parts are pieces of one text. Data is only shown if there is no text. */
function joinPartTexts(parts: readonly Part[]): string {
  const texts = parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
  if (texts.length > 0) return texts.join('')
  return parts
    .flatMap(({ content }) => (content?.$case === 'data' ? [messageText(content.value)] : []))
    .join('\n')
}
