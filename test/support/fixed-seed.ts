import fc from 'fast-check';

// No test fails by chance: each run tries the same values. `FUZZ_SEED=$RANDOM npm run test:slow` tries others.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 20_261_120) });
