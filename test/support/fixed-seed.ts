import fc from 'fast-check';

// Quick tests never fail by chance: they try the same values each time. Slow ones try others, and print their seed.
fc.configureGlobal({ seed: 20_261_120 });
