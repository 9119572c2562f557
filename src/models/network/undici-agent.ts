// Only what direct connections need, bundled into the command: loading all of undici takes 60 ms, and its many files
// one by one 20 (it has no exports map, and we pin its version).
export { default as buildConnector } from 'undici/lib/core/connect.js'
export { default as Agent } from 'undici/lib/dispatcher/agent.js'
