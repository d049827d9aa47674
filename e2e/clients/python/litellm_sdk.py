import os
import litellm

request = {
    "model": "openai/footnote-extract-1",
    "api_base": "http://localhost:3000/v1",
    "api_key": os.environ["FOOTNOTE_API_KEY"],
    "messages": [{"role": "user", "content": "What are the signs of a stroke?"}],
    "extra_body": {"citations": {"enabled": True, "required": True}},
}
completion = litellm.completion(**request)
message = completion.choices[0].message
print(message.content)
print(completion.citations[0]["title"])
print(message.annotations[0]["url_citation"]["verification"]["verdict"])
print(litellm.completion_cost(completion))

# Checks
assert "[1]" in message.content
charged = float(completion.usage.cost_usd)
assert completion._hidden_params["response_cost"] == litellm.completion_cost(completion) == charged
streamed = {**request, "stream": True, "stream_options": {"include_usage": True}}
chunks = list(litellm.completion(**streamed))
assert chunks[0].citations
whole = litellm.stream_chunk_builder(chunks, messages=request["messages"])
assert litellm.completion_cost(whole) == whole.usage.cost == charged
assert whole.choices[0].message.annotations
