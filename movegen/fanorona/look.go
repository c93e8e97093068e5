package fanorona

// AfterVela is how many pieces Black keeps for the normal rules to return.
const AfterVela = afterVela
