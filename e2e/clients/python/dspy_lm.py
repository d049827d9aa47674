import os
import dspy

lm = dspy.LM(
    "openai/footnote-extract-1",
    api_base="http://localhost:3000/v1",
    api_key=os.environ["FOOTNOTE_API_KEY"],
    extra_body={"citations": {"enabled": True, "required": True}},
    # Equal questions would be answered from DSPy's cache, without a search.
    cache=False,
)
print(lm("What are the signs of a stroke?"))
answer = lm.history[-1]["response"]
print(answer.citations[0]["title"])
print(answer.choices[0].message.annotations[0]["url_citation"]["verification"]["verdict"])

# Checks
assert "[1]" in str(lm("What are the signs of a stroke?"))
assert lm.history[-1]["cost"] == float(answer.usage.cost_usd) > 0
