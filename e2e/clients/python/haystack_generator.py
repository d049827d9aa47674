from haystack.components.generators.chat import OpenAIResponsesChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret

generator = OpenAIResponsesChatGenerator(
    api_key=Secret.from_env_var("FOOTNOTE_API_KEY"),
    api_base_url="http://localhost:3000/v1",
    model="footnote-extract-1",
    tools=[{"type": "file_search", "vector_store_ids": ["public_kb"]}],
)
reply = generator.run([ChatMessage.from_user("What are the signs of a stroke?")])["replies"][0]
print(reply.text)
print(reply.meta["citations"][0]["title"], reply.meta["verification"]["supported"])

# Checks
assert "[1]" in reply.text
assert float(reply.meta["usage"]["cost_usd"]) > 0
