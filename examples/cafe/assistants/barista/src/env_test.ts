// @ts-nocheck
/** Before and after cases: `"before": "env_test.Before"`. */
function Before(ctx, testCase) {
  return { data: { table: 7, case: testCase.id, guest: ctx.authorized.user_id } }
}

function After(ctx, testCase, result, prepared) {
  if (prepared.table !== 7) throw new Error('the table is gone')
  console.log(`${testCase.id} ${result.status} at table ${prepared.table}`)
}
