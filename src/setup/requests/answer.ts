import { InfrastructureError } from '../../errors.ts'
import { recordMissing } from '../../scope/record-missing.ts'
import type { Scope } from '../../scope/scope.ts'
import type { CallBack, ScriptRequest, ScriptRequestHandler } from '../../scripts/protocol/ask.ts'
import { askAgents } from './agents.ts'
import type { AskedFor } from './asked-for.ts'
import { readMcp } from './mcp-reading.ts'
import { askModels } from './models.ts'
import { runProcess } from './process.ts'
import { callTools, listTools } from './tools.ts'
import { validate } from './validate.ts'
import { callWrappedTool } from './wrapped-tool.ts'

/** Answers what scripts ask for, each kind in its file. */
export function createAnswering(askedFor: AskedFor): ScriptRequestHandler {
  return {
    answer: (ask, scope, callBack) => recordMissing(scope, () => answerTo(ask, askedFor, scope, callBack)),
  }
}

async function answerTo(
  ask: ScriptRequest,
  askedFor: AskedFor,
  scope: Scope,
  callBack: CallBack,
): Promise<unknown> {
  switch (ask.kind) {
    case 'process':
      return runProcess(ask, askedFor, scope)
    case 'agents':
      return askAgents(ask, askedFor, scope, callBack)
    case 'models':
      return askModels(ask, askedFor, scope, callBack)
    case 'list_tools':
      return listTools(ask.server, askedFor, scope)
    case 'call_tools':
      return callTools(ask, askedFor, scope)
    case 'read_mcp':
      return readMcp(ask, askedFor, scope)
    case 'wrapped_tool':
      return callWrappedTool(ask, scope, callBack)
    case 'begin_tools':
      // What was called before has begun by now, because requests are answered in their order.
      return undefined
    case 'validate':
      return validate(ask, askedFor, scope)
    case 'missing':
      throw new InfrastructureError('stub', ask.message)
  }
}
