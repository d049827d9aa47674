import os
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

provider = OpenAIProvider(
    base_url="http://localhost:3000/v1", api_key=os.environ["FOOTNOTE_API_KEY"]
)
agent = Agent(
    OpenAIChatModel("footnote-extract-1", provider=provider),
    model_settings={
        "extra_body": {"citations": {"enabled": True, "required": True}},
        "openai_include_raw_annotations": True,
        "openai_include_unmapped_response_data": True,
    },
)
result = agent.run_sync("What are the signs of a stroke?")
print(result.output)
part = result.response.parts[-1]
print(part.citations[0])
print(part.provider_details["annotations"][0]["url_citation"]["verification"]["verdict"])
print(result.response.provider_details["unmapped"]["response"]["citations"][0]["title"])

# Checks
import asyncio


async def stream():
    async with agent.run_stream("What are the signs of a stroke?") as streaming:
        text = "".join([piece async for piece in streaming.stream_text(delta=True)])
        return text, streaming.response.parts[-1]


text, streamed = asyncio.run(stream())
assert "[1]" in result.output == text
assert len(streamed.citations) == len(part.citations) > 0
assert len(streamed.provider_details["annotations"]) == len(part.citations)
