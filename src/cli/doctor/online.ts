import { errorMessage } from '../../errors.ts'
import { sendRequest } from '../../models/http-client.ts'
import type { Network } from '../../models/network/network.ts'
import { type DoctorFinding, findingsOf } from './finding.ts'

const { ok, error } = findingsOf('Models')

const timeoutMs = 10_000

/** Whether a server answers at all. The request has no key and no path, so any status will do. */
export async function contactHost(url: URL, network: Network, signal: AbortSignal): Promise<DoctorFinding> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const request = { url, method: 'GET' as const, headers: {}, network }
    await sendRequest(request, limit, () => ({ push: () => true, end: () => undefined }))
    return ok(`contacted ${url.host}: it answers`)
  } catch (problem) {
    signal.throwIfAborted()
    const hint = 'is the address right, does the server run, is there a proxy?'
    return error(`contacted ${url.host}: ${errorMessage(problem)}`, hint)
  }
}
