import assert from "node:assert/strict";
import fc from "fast-check";
import {
  aggregate,
  type Aggregation,
  AGGREGATIONS,
  parseAggregation,
  type Scoring,
  type Weighted,
} from "./aggregate.ts";

function scoring(aggregation: Aggregation, rest: Partial<Scoring> = {}): Scoring {
  return { aggregation, threshold: 0.5, ...rest };
}

function scores(...values: number[]): Weighted[] {
  return values.map((value) => ({ value, weight: 1 }));
}

const weighted = fc.array(
  fc.record({
    value: fc.double({ min: 0, max: 1, noNaN: true }),
    weight: fc.double({ min: 0, max: 1000, noNaN: true }),
    optional: fc.boolean(),
  }),
  { minLength: 1, maxLength: 20 },
);

Deno.test("aggregate() combines as its tables say", () => {
  const table: [Aggregation, number[], number][] = [
    ["weighted-mean", [1, 0.5], 0.75],
    ["weighted-sum", [1, 0.5], 1.5],
    ["all-pass", [1, 0.5], 1],
    ["all-pass", [1, 0], 0],
    ["any-pass", [0, 0.001], 1],
    ["any-pass", [0, 0], 0],
    ["threshold", [1, 0], 1],
    ["threshold", [0.9, 0], 0],
    ["required-pass", [1, 0.1], 1],
    ["required-pass", [1, 0], 0],
  ];
  for (const [aggregation, values, expected] of table) {
    assert.equal(
      aggregate(scores(...values), scoring(aggregation)),
      expected,
      `${aggregation} of ${values}`,
    );
  }
});

Deno.test("aggregate() passes what is greater than 0, or at least the pass mark", () => {
  for (const aggregation of ["all-pass", "required-pass", "any-pass"] as const) {
    assert.equal(aggregate(scores(0.3), scoring(aggregation)), 1);
    assert.equal(aggregate(scores(-0.3), scoring(aggregation)), 0);
    assert.equal(aggregate(scores(0.3), scoring(aggregation, { pass: 0.3 })), 1);
    assert.equal(aggregate(scores(0.3), scoring(aggregation, { pass: 0.31 })), 0);
    assert.equal(aggregate(scores(0.999999), scoring(aggregation, { pass: 1 })), 0);
  }
});

Deno.test("aggregate() counts ten tenths as one, in sums and at gates", () => {
  assert.equal(aggregate(scores(...Array(10).fill(0.1)), scoring("weighted-sum")), 1);
  const almost = 0.9999999999999999;
  assert.equal(aggregate(scores(almost), scoring("all-pass", { pass: 1 })), 1);
  assert.equal(aggregate(scores(almost), scoring("threshold", { threshold: 1 })), 1);
});

Deno.test("aggregate() leaves optional scores out of required-pass only", () => {
  const inputs = [{ value: 1, weight: 1 }, { value: 0, weight: 1, optional: true }];
  assert.equal(aggregate(inputs, scoring("required-pass")), 1);
  assert.equal(aggregate(inputs, scoring("all-pass")), 0);
  assert.equal(aggregate(inputs, scoring("weighted-mean")), 0.5);
});

Deno.test("aggregate() lets scores of weight 0 decide gates, as the original does", () => {
  const inputs = [{ value: 1, weight: 1 }, { value: 0, weight: 0 }];
  assert.equal(aggregate(inputs, scoring("all-pass")), 0);
});

Deno.test("aggregate() gives 0 where the weights add up to 0", () => {
  const inputs = [{ value: 1, weight: 0 }, { value: 1, weight: 0 }];
  assert.equal(aggregate(inputs, scoring("weighted-mean")), 0);
  assert.ok(Object.is(aggregate([], scoring("weighted-sum")), 0));
});

Deno.test("aggregate() takes weights near the limit of numbers, and shows overflow", () => {
  const inputs = [{ value: 1, weight: 1e308 }, { value: 0.5, weight: 1e308 }];
  assert.equal(aggregate(inputs, scoring("weighted-sum")), 1.5e308);
  assert.equal(aggregate(inputs, scoring("weighted-mean")), 0.75);
  const over = [{ value: 1, weight: 1e308 }, { value: 1, weight: 1e308 }];
  assert.equal(aggregate(over, scoring("weighted-sum")), Infinity);
});

Deno.test("aggregate() does not depend on the order of scores", () => {
  fc.assert(
    fc.property(weighted, fc.constantFrom(...AGGREGATIONS), (inputs, aggregation) => {
      const turned = inputs.toReversed();
      assert.equal(
        aggregate(turned, scoring(aggregation)),
        aggregate(inputs, scoring(aggregation)),
      );
    }),
  );
});

Deno.test("aggregate() keeps a mean between the least and the greatest score", () => {
  fc.assert(
    fc.property(weighted, (inputs) => {
      fc.pre(inputs.some(({ weight }) => weight > 1e-100));
      const values = inputs.filter(({ weight }) => weight > 0).map(({ value }) => value);
      const mean = aggregate(inputs, scoring("weighted-mean"));
      assert.ok(mean >= Math.min(...values) - 1e-12 && mean <= Math.max(...values) + 1e-12);
    }),
  );
});

Deno.test("aggregate() gives exactly 1 for a mean of ones, whatever their weights", () => {
  fc.assert(
    fc.property(weighted, (inputs) => {
      fc.pre(inputs.some(({ weight }) => weight > 0));
      const ones = inputs.map(({ weight }) => ({ value: 1, weight }));
      assert.equal(aggregate(ones, scoring("weighted-mean")), 1);
    }),
  );
});

Deno.test("aggregate() never scores less where a score rises", () => {
  fc.assert(
    fc.property(weighted, fc.constantFrom(...AGGREGATIONS), fc.nat(), (inputs, aggregation, at) => {
      const risen = inputs.map((input, index) =>
        index === at % inputs.length ? { ...input, value: 1 } : input
      );
      const difference = aggregate(risen, scoring(aggregation)) -
        aggregate(inputs, scoring(aggregation));
      assert.ok(difference >= -1e-9, String(difference));
    }),
  );
});

Deno.test("aggregate() gives 0 or 1 at every gate, and any-pass where all-pass", () => {
  fc.assert(
    fc.property(weighted, fc.double({ min: 0.01, max: 1, noNaN: true }), (inputs, pass) => {
      const all = aggregate(inputs, scoring("all-pass", { pass }));
      const any = aggregate(inputs, scoring("any-pass", { pass }));
      assert.ok([0, 1].includes(all) && [0, 1].includes(any) && any >= all);
    }),
  );
});

Deno.test("parseAggregation() reads both spellings and nothing else", () => {
  for (const aggregation of AGGREGATIONS) {
    assert.equal(parseAggregation(aggregation), aggregation);
    assert.equal(parseAggregation(aggregation.replace("-", "_")), aggregation);
  }
  for (const word of ["All-Pass", "mean", "", "all pass"]) {
    assert.equal(parseAggregation(word), undefined);
  }
});
